"""Speaks as Nominatim, Photon and, posted to, ichnaea do, or as its first argument says: slow, reset, garbage, huge,
redirect, moved, a status, ipf, lacf. It prints its port, then each request as a line of JSON."""
import http.server
import json
import socket
import ssl
import sys
import time
import urllib.parse

how = sys.argv[1] if len(sys.argv) > 1 else ""
PLACE = {
    "osm_type": "way", "osm_id": 1, "lat": "43.7311", "lon": "7.4197", "name": "Le Rocher",
    "type": "suburb", "display_name": "Le Rocher, Monaco",
    "address": {"suburb": "Monaco-Ville", "city": "Monaco", "country": "Monaco", "country_code": "mc"},
}
FEATURE = {
    "type": "Feature", "geometry": {"type": "Point", "coordinates": [7.4197, 43.7311]},
    "properties": {"osm_type": "W", "osm_id": 1, "type": "district", "name": "Monaco-Ville",
                   "city": "Monaco", "country": "Monaco", "countrycode": "MC"},
}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *rest):
        pass

    def say(self, status, body, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        print(json.dumps({"path": self.path, "body": body, "agent": self.headers["User-Agent"],
                          "type": self.headers["Content-Type"]}), flush=True)
        if self.fail():
            return
        answer = {"location": {"lat": 43.7311, "lng": 7.4197}, "accuracy": 162.0 if how != "ipf" else 25000.0}
        if how in ("ipf", "lacf"):
            answer["fallback"] = how
        self.say(200, json.dumps(answer).encode())

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        print(json.dumps({"path": url.path, "query": query, "agent": self.headers["User-Agent"],
                          "date": time.time()}), flush=True)
        if self.fail():
            return
        if how == "moved" and not url.path.startswith("/new"):
            return self.say(301, b"", ("Location", "/new" + self.path))
        if query.get("lang") not in (None, "en"):
            return self.say(400, b'{"message":"language is not supported"}')
        name = url.path.split("/")[-1]
        if name == "api" or "format" not in query:
            answer = {"type": "FeatureCollection", "features": [FEATURE]}
        else:
            answer = [PLACE] if name == "search" else PLACE
        self.say(200, json.dumps(answer).encode())

    def fail(self):
        """Whether it did, as it was told to."""
        if how == "slow":
            time.sleep(5)
        if how == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.connection.close()
        elif how == "garbage":
            self.say(200, b"\xff\xfe<html>")
        elif how == "huge":
            self.say(200, b"[" + b" " * (8 << 20) + b"]")
        elif how == "redirect":
            place = "http://127.0.0.2:%d%s" % (self.server.server_address[1], self.path)
            self.say(302, b"", ("Location", place))
        elif how.isdigit():
            self.say(int(how), b"{}", ("Retry-After", "30"))
        else:
            return False
        return True

    def finish(self):
        try:
            super().finish()
        except OSError:
            pass


server = http.server.ThreadingHTTPServer(("0.0.0.0" if how == "redirect" else "127.0.0.1", 0), Handler)
if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2] + ".pem", sys.argv[2] + ".key")
    server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_address[1], flush=True)
server.serve_forever()
