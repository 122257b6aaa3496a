//! Text, index, bytes: an image of 3 x 4 pixels goes to blocks of 2 x 2, dimension 0 fastest.

use xlashape::{IndexMap, Plan, Shape};

fn main() -> Result<(), xlashape::Error> {
    let image: Shape = "u8[3,4]".parse()?;
    let tiled: Shape = "u8[3,4]{0,1:T(2,2)}".parse()?;
    println!("{image} has {} bytes, {tiled} has {}", image.byte_size()?, tiled.byte_size()?);

    let plan = Plan::new(&image, &tiled)?; // once
    let mut dst = vec![0; tiled.byte_size()?];
    plan.execute(b"abcdefghijkl", &mut dst)?; // many times, on any thread

    let letters: String = dst.iter().map(|&byte| if byte == 0 { '.' } else { char::from(byte) }).collect();
    let position = IndexMap::new(&tiled)?.linear_index(&[2, 3])?;
    println!("{letters}\nthe element [2,3] lies at position {position}: {}", char::from(dst[position as usize]));
    Ok(())
}
