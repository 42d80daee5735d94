import LocationModel
import PlaceCore

@testable import ReceiverCore

extension Decoder {
  /// Answers of a locator, words of ModemManager, and questions to both.
  static var radios: Decoder {
    Decoder(
      name: "radios",
      words: extremes + [
        #""location":{"#, #""lat":"#, #""lng":"#, #""accuracy":"#, #""fallback":"lacf""#, "null",
        "{", "}", "[", "]", "$GPRMC,", "$GPGGA,", "$GPGLL,", "120000.00,", "235959,", "\r\n", "NaN",
        "inf,", "262,02,", "FFFE,", #""wifiAccessPoints":["#, #""macAddress":"00:16:3e:00:00:01""#,
        #""cellTowers":["#, #""radioType":"lte""#, #""cellId":"#,
      ],
      seeds: [
        [UInt8](0, #"{"location":{"lat":43.7,"lng":7.4},"accuracy":162.0,"fallback":"lacf"}"#),
        [UInt8](1, "$GPRMC,120000.00,A,45,N,7,E\r\n$GPGGA,120000.00,45,N,7,E\r\n$GPGSA,A\r\n"),
        [UInt8](2, "262,02,FFFE,1CEAD8F0,6FFE"),
        [UInt8](
          3,
          #"{"wifiAccessPoints":[{"macAddress":"00:16:3e:00:00:01","signalStrength":-60}],"#
            + #""cellTowers":[{"radioType":"lte","mobileCountryCode":262,"mobileNetworkCode":2,"#
            + #""locationAreaCode":7,"cellId":9}]}"#),
        [UInt8](4, #"{"modem":"abc","sources":5,"signal":false,"rate":30}"#),
      ]
    ) { input in
      let (choice, bytes) = input.choice
      let text = String(decoding: bytes, as: UTF8.self)
      switch choice % 5 {
      case 0: locate(bytes)
      case 1:
        var epochs = ModemEpochs()
        var told: [String] = []
        for part in text.split(separator: "\n") {
          if case .epoch(let epoch) = epochs.read(String(part)) { told.append(epoch) }
          if case .epoch(let epoch) = epochs.read(text) { told.append(epoch) }
        }
        check(told.allSatisfy { $0.hasSuffix("\r\n") }, "half a line")
      case 2:
        for radio in [CellTower.Radio.gsm, .wcdma, .lte] {
          guard let cell = CellTower(modem: text, radio: radio) else { continue }
          check(cell.cell > 0 && cell.area > 0, "a cell that is none")
        }
      case 3: ask(text)
      default:
        guard let json = try? JSON(parsing: text), let debt = ModemDebt(json) else { return }
        check(ModemDebt(debt.json) == debt, "another debt")
      }
    }
  }

  private static func locate(_ bytes: [UInt8]) {
    guard let server = try? LocatingServer("ichnaea:http://127.0.0.1/"),
      let cell = CellTower(radio: .lte, country: 1, network: 1, area: 1, cell: 1)
    else { return check(false, "no server") }
    let question = GeolocateRequest(cells: [cell])
    guard case .answer(let place)? = server.meaning(of: bytes, status: 200, to: question) else {
      return
    }
    check(place.coordinate.isValid, "it lies nowhere")
    check((1000...500_000).contains(place.horizontalAccuracy), "its radius is impossible")
  }

  private static func ask(_ text: String) {
    guard let json = try? JSON(parsing: text), let given = try? Parameters(json),
      let request = try? PlaceRequest(method: "geolocate", parameters: given)
    else { return }
    let again = (try? Parameters(request.parameters)).flatMap {
      try? PlaceRequest(method: "geolocate", parameters: $0)
    }
    check(again == request, "another question")
  }
}
