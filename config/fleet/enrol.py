#!/usr/bin/env python3
"""A reference server for `locationctl track enrol`: enrol.py AUTHORITY TOKENS CERTIFICATE KEY [PORT]

POST, with a request (PKCS #10, PEM) whose CN is the board's number. The first time `Authorization: Bearer TOKEN`, a file
of that name in TOKENS, which goes: a token is good for one certificate. Later the board shows the certificate that it
has, and is given one for the same name only. The answer is 200 and the certificate, else a status and a line of why.
"""
import http.server
import pathlib
import re
import ssl
import subprocess
import sys

authority, tokens, certificate, key = sys.argv[1:5]
port = int(sys.argv[5]) if len(sys.argv) > 5 else 8443
ca = pathlib.Path(__file__).resolve().parent / "ca"
LONGEST = 16_384


class Answer(http.server.BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self):
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= LONGEST:
            return self.say(413, "that is no request")
        request = self.rfile.read(length)
        name = self.name(request)
        if not name:
            return self.say(400, "the request names no board")
        shown = dict(pair for part in (self.connection.getpeercert() or {}).get("subject", ()) for pair in part)
        if shown:
            if shown.get("commonName") != name:
                return self.say(403, "the certificate is of another board")
        elif not self.spend():
            return self.say(403, "no such token, or it was used")
        made = subprocess.run([ca, authority, "sign", name], input=request, capture_output=True)
        if made.returncode:
            return self.say(400, "the request cannot be signed")
        self.say(200, made.stdout.decode())

    def name(self, request):
        """The board's, of a request that is signed by its own key."""
        said = subprocess.run(
            ["openssl", "req", "-verify", "-noout", "-subject", "-nameopt", "multiline"], input=request,
            capture_output=True)
        found = re.search(rb"commonName += ([A-Za-z0-9][A-Za-z0-9._-]{0,63})$", said.stdout, re.MULTILINE)
        return found[1].decode() if said.returncode == 0 and found else None

    def spend(self):
        token = re.fullmatch(r"Bearer ([A-Za-z0-9_-]{16,128})", self.headers.get("Authorization") or "")
        try:
            (pathlib.Path(tokens) / token[1]).unlink()
            return True
        except (OSError, TypeError):
            return False

    def say(self, status, text):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
context.load_verify_locations(f"{authority}/ca.crt")
context.verify_mode = ssl.CERT_OPTIONAL
server = http.server.ThreadingHTTPServer(("", port), Answer)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
print(f"enrol.py listens on {port}", flush=True)
server.serve_forever()
