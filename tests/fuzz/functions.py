"""Writes FUNCTION(name, returns a status) for each exported function of the ABI file: functions.py ABI OUT."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    functions = json.load(file)["functions"]
with open(sys.argv[2], "w", encoding="utf-8") as file:
    for function in functions:
        fails = function["returns"]["type"] == "xlashape_status"
        file.write(f"FUNCTION({function['name']}, {str(fails).lower()})\n")
