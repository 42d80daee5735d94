import LocationModel
import Testing

@testable import ShareCore

@Suite("A client of gpsd's protocol") struct GpsdSessionTests {
  private static let now = Timestamp(microseconds: 1_795_657_861_874_000)

  private static func answer(
    _ session: inout GpsdSession, _ text: String, _ newest: GpsdSession.Newest? = nil
  ) -> [String] {
    var reader = GpsdRequests()
    var requests: [GpsdRequest] = []
    Array(text.utf8).withUnsafeBytes { reader.read($0, into: &requests) }
    reader.rest(into: &requests)
    var reply = TextBuffer()
    for request in requests { session.answer(request, newest, at: now, into: &reply) }
    return String(decoding: reply.bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  private static let device =
    #"{"class":"DEVICE","path":"locationd","driver":"NMEA0183","activated":"2026-11-26T01:51:01.874Z","flags":1}"#

  @Test("a caller that may know is answered as gpsd 3.22 answers")
  func known() {
    var session = GpsdSession(at: Self.now)
    session.mayKnow = true
    #expect(
      Self.answer(&session, "?VERSION;?DEVICES;") == [
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[\#(Self.device)]}"#,
      ])
    #expect(Self.answer(&session, "?DEVICE;") == [Self.device])
    #expect(
      Self.answer(&session, #"?WATCH={"class":"WATCH", "nmea":true}"#).last
        == #"{"class":"WATCH","enable":true,"json":false,"nmea":true,"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false}"#
    )
    #expect(session.wantsNMEA && !session.wantsJSON)
    #expect(
      Self.answer(&session, #"?WATCH={"enable":true,"json":true,"device":"/dev/nope"};"#)
        == [#"{"class":"ERROR","message":"No such device as /dev/nope"}"#])
    #expect(!session.wantsJSON)
    #expect(
      Self.answer(&session, #"?DEVICE={"path":"locationd","bps":4800}"#) == [Self.device])
  }

  @Test("wishes are what gpsd takes them for")
  func wishes() {
    var session = GpsdSession(at: Self.now)
    _ = Self.answer(&session, #"?WATCH={"enable":true,"json":1,"raw":true,"x":[1,2]}"#)
    #expect(session.policy.isOn && !session.wantsJSON && !session.wantsNMEA)
    _ = Self.answer(&session, #"?WATCH={"raw":2,"pps":true}"#)
    #expect(session.wantsNMEA && session.policy.pps)
    _ = Self.answer(&session, #"?WATCH={"enable":false}"#)
    #expect(!session.wantsNMEA)
    // Wishes stay.
    _ = Self.answer(&session, #"?WATCH={"json":true}"#)
    #expect(session.wantsNMEA && session.wantsJSON)
  }

  @Test("a caller that may not know is told of no receiver, and of nothing that it says")
  func unknown() {
    var session = GpsdSession(at: Self.now)
    let bytes = Array("{}".utf8)
    let all = bytes.withUnsafeBytes { bytes in
      Self.answer(
        &session,
        "?VERSION;?DEVICES;?DEVICE;?WATCH={\"json\":true};?POLL;?DEVICE={\"path\":\"locationd\"}",
        .init(position: bytes, deviations: bytes, sky: bytes))
    }
    #expect(all[1] == #"{"class":"DEVICES","devices":[]}"#)
    #expect(all.count == 7)
    #expect(
      all[5]
        == #"{"class":"POLL","time":"2026-11-26T01:51:01.874Z","active":0,"tpv":[],"gst":[],"sky":[]}"#
    )
    #expect(all.allSatisfy { !$0.contains("activated") })
  }

  @Test("a poll has what was told since the watch, and nothing before")
  func poll() {
    var session = GpsdSession(at: Self.now)
    session.mayKnow = true
    let bytes = Array("{}".utf8)
    bytes.withUnsafeBytes { bytes in
      let newest = GpsdSession.Newest(position: bytes, deviations: bytes, sky: bytes)
      #expect(Self.answer(&session, "?POLL;", newest).first?.contains(#""tpv":[]"#) == true)
      _ = Self.answer(&session, #"?WATCH={"enable":true}"#)
      session.isCurrent = true
      let poll = Self.answer(&session, "?POLL;", newest).first
      #expect(poll?.contains(#""active":1,"tpv":[{}],"gst":[{}],"sky":[{}]"#) == true)
      session.mayKnow = false
      #expect(
        Self.answer(&session, "?POLL;", newest).first?.contains(#""active":0,"tpv":[]"#) == true)
    }
  }

  @Test("an error is JSON, whatever was asked")
  func errors() throws {
    var session = GpsdSession(at: Self.now)
    for text in ["?FOO;\n", "?\u{1}\"\\;", "?WATCH={x}", "?é;"] {
      let all = Self.answer(&session, text)
      #expect(all.count == 1)
      #expect(try JSON(parsing: all[0])["class"]?.string == "ERROR")
    }
  }
}
