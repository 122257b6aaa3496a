// SPDX-License-Identifier: Apache-2.0
// What the package throws.

export class XlashapeError extends Error {
  /**
   * @param {string} status the name that xlashape_status_name gives, such as "PARSE"
   * @param {string} message
   * @param {{offset?: number, byteOffset?: number, index?: number}} [place]
   */
  constructor(status, message, { offset = -1, byteOffset = -1, index = -1 } = {}) {
    super(message);
    this.status = status;
    /** Where in the text that was read, in UTF-16 units as strings count; -1: nowhere. */
    this.offset = offset;
    /** The same in bytes of UTF-8. */
    this.byteOffset = byteOffset;
    /** The failing one of a list, or -1. */
    this.index = index;
  }
}
XlashapeError.prototype.name = "XlashapeError";

export const invalid = (message) => new XlashapeError("INVALID_ARGUMENT", message);
