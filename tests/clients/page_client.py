"""A browser's requests to a served page. Usage: page_client.py ADDRESS get | click LINE | wait TEXT

`get` prints the page, `click` reports a click on a line, and `wait` ends when an event contains the text.
"""

import json
import sys
from urllib.request import urlopen


def main(address: str, action: str, argument: str = ""):
    if action == "get":
        print(urlopen(address).read().decode())
    elif action == "click":
        urlopen(address + "reveal", data=json.dumps({"line": int(argument)}).encode())
    else:
        with urlopen(address + "events", timeout=60) as events:
            while argument not in events.readline().decode():
                pass


main(*sys.argv[1:])
