extension Phrases {
  static let english = Phrases(
    code: "en",
    compass: [
      "north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest",
    ],
    turns: turns(
      "Continue straight", "Bear right", "Turn right", "Turn sharp right", "Make a U-turn",
      "Turn sharp left", "Turn left", "Bear left",
      named: "{s} onto {r}"),
    depart: ("Head {c}", "Head {c} on {r}"),
    goOn: ("Continue", "Continue onto {r}"),
    keep: ("Keep left", "Keep right"),
    merge: ("Merge", "Merge onto {r}"),
    ramp: ("Take the ramp", "Take the ramp onto {r}"),
    roundabout: ("Go through the roundabout", "At the roundabout, take {r}"),
    roundaboutExit: (
      "At the roundabout, take the {n} exit", "At the roundabout, take the {n} exit onto {r}"
    ),
    board: ("Board the ferry", "Board the ferry {r}"),
    via: "You have reached a stop on the way",
    arrive: (
      "Arrive at your destination", "Arrive at your destination on the left",
      "Arrive at your destination on the right"
    ),
    advisories: [
      .ferry: "This route has a ferry.", .toll: "This route has tolls.",
      .unpaved: "This route has unpaved roads.", .motorway: "This route has motorways.",
      .stairs: "This route has stairs.",
    ],
    gaps: (
      "The route begins {d} from the starting point.", "The route ends {d} from the destination."
    ),
    ordinal: { number in
      let words = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth",
      ]
      if (1...words.count).contains(number) { return words[number - 1] }
      return switch (number % 10, number % 100) {
      case (_, 11...13): "\(number)th"
      case (1, _): "\(number)st"
      case (2, _): "\(number)nd"
      case (3, _): "\(number)rd"
      default: "\(number)th"
      }
    })

  static let korean = Phrases(
    code: "ko", compass: ["북쪽", "북동쪽", "동쪽", "남동쪽", "남쪽", "남서쪽", "서쪽", "북서쪽"],
    turns: [
      .straight: ("직진", "{r}(으)로 직진"),
      .slightRight: ("오른쪽 방향", "오른쪽 방향으로 {r} 진입"),
      .right: ("우회전", "우회전하여 {r}(으)로 진입"),
      .sharpRight: ("크게 우회전", "크게 우회전하여 {r}(으)로 진입"),
      .back: ("유턴", "유턴하여 {r}(으)로 진입"),
      .sharpLeft: ("크게 좌회전", "크게 좌회전하여 {r}(으)로 진입"),
      .left: ("좌회전", "좌회전하여 {r}(으)로 진입"),
      .slightLeft: ("왼쪽 방향", "왼쪽 방향으로 {r} 진입"),
    ],
    depart: ("{c}으로 출발", "{r}에서 {c}으로 출발"),
    goOn: ("계속 직진", "{r}(으)로 계속 직진"),
    keep: ("왼쪽 차로 유지", "오른쪽 차로 유지"),
    merge: ("본선 합류", "{r}(으)로 합류"),
    ramp: ("진출입로 진입", "진출입로를 통해 {r}(으)로 진입"),
    roundabout: ("회전교차로 통과", "회전교차로에서 {r}(으)로 진출"),
    roundaboutExit: ("회전교차로에서 {n} 출구로 진출", "회전교차로에서 {n} 출구를 통해 {r}(으)로 진출"),
    board: ("여객선 승선", "여객선 {r} 승선"),
    via: "경유지 도착",
    arrive: ("목적지 도착", "왼쪽에 있는 목적지 도착", "오른쪽에 있는 목적지 도착"),
    advisories: [
      .ferry: "여객선 구간이 있습니다.", .toll: "유료 도로 구간이 있습니다.", .unpaved: "비포장 도로 구간이 있습니다.",
      .motorway: "고속도로 구간이 있습니다.",
      .stairs: "계단 구간이 있습니다.",
    ],
    gaps: ("출발지에서 {d} 떨어진 곳에서 시작합니다.", "목적지에서 {d} 떨어진 곳에서 끝납니다."),
    ordinal: { "\($0)번째" })

  static let german = Phrases(
    code: "de",
    compass: [
      "Norden", "Nordosten", "Osten", "Südosten", "Süden", "Südwesten", "Westen", "Nordwesten",
    ],
    turns: turns(
      "Geradeaus weiter", "Leicht rechts abbiegen", "Rechts abbiegen", "Scharf rechts abbiegen",
      "Wenden", "Scharf links abbiegen", "Links abbiegen", "Leicht links abbiegen",
      named: "{s} auf {r}"),
    depart: ("Richtung {c} starten", "Auf {r} Richtung {c} starten"),
    goOn: ("Weiterfahren", "Weiter auf {r}"),
    keep: ("Links halten", "Rechts halten"),
    merge: ("Einfädeln", "Auf {r} einfädeln"),
    ramp: ("Auf die Rampe fahren", "Über die Rampe auf {r}"),
    roundabout: ("Durch den Kreisverkehr", "Im Kreisverkehr auf {r}"),
    roundaboutExit: (
      "Im Kreisverkehr die {n} Ausfahrt nehmen", "Im Kreisverkehr die {n} Ausfahrt auf {r} nehmen"
    ),
    board: ("Die Fähre nehmen", "Die Fähre {r} nehmen"),
    via: "Zwischenziel erreicht",
    arrive: ("Ziel erreicht", "Ziel auf der linken Seite", "Ziel auf der rechten Seite"),
    advisories: [
      .ferry: "Die Strecke enthält eine Fähre.", .toll: "Die Strecke ist mautpflichtig.",
      .unpaved: "Die Strecke enthält unbefestigte Straßen.",
      .motorway: "Die Strecke enthält Autobahnen.",
      .stairs: "Die Strecke enthält Treppen.",
    ],
    gaps: (
      "Die Strecke beginnt {d} vom Startpunkt entfernt.", "Die Strecke endet {d} vom Ziel entfernt."
    ),
    ordinal: { "\($0)." })
}
