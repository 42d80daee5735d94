extension Phrases {
  static let french = Phrases(
    code: "fr",
    compass: [
      "le nord", "le nord-est", "l’est", "le sud-est", "le sud", "le sud-ouest", "l’ouest",
      "le nord-ouest",
    ],
    turns: turns(
      "Continuez tout droit", "Serrez à droite", "Tournez à droite", "Tournez franchement à droite",
      "Faites demi-tour", "Tournez franchement à gauche", "Tournez à gauche", "Serrez à gauche",
      named: "{s} sur {r}"),
    depart: ("Partez vers {c}", "Partez vers {c} sur {r}"),
    goOn: ("Continuez", "Continuez sur {r}"),
    keep: ("Restez à gauche", "Restez à droite"),
    merge: ("Insérez-vous dans la circulation", "Rejoignez {r}"),
    ramp: ("Prenez la bretelle", "Prenez la bretelle vers {r}"),
    roundabout: ("Traversez le rond-point", "Au rond-point, prenez {r}"),
    roundaboutExit: (
      "Au rond-point, prenez la {n} sortie", "Au rond-point, prenez la {n} sortie sur {r}"
    ),
    board: ("Prenez le ferry", "Prenez le ferry {r}"),
    via: "Vous êtes arrivé à une étape",
    arrive: (
      "Vous êtes arrivé", "Votre destination est à gauche", "Votre destination est à droite"
    ),
    advisories: [
      .ferry: "Cet itinéraire comporte un ferry.", .toll: "Cet itinéraire comporte des péages.",
      .unpaved: "Cet itinéraire comporte des routes non revêtues.",
      .motorway: "Cet itinéraire comporte des autoroutes.",
      .stairs: "Cet itinéraire comporte des escaliers.",
    ],
    gaps: (
      "L’itinéraire commence à {d} du point de départ.",
      "L’itinéraire se termine à {d} de la destination."
    ),
    ordinal: { $0 == 1 ? "1re" : "\($0)e" })

  static let spanish = Phrases(
    code: "es",
    compass: [
      "el norte", "el noreste", "el este", "el sureste", "el sur", "el suroeste", "el oeste",
      "el noroeste",
    ],
    turns: turns(
      "Sigue recto", "Gira ligeramente a la derecha", "Gira a la derecha",
      "Gira cerrado a la derecha", "Haz un cambio de sentido", "Gira cerrado a la izquierda",
      "Gira a la izquierda", "Gira ligeramente a la izquierda",
      named: "{s} por {r}"),
    depart: ("Dirígete hacia {c}", "Dirígete hacia {c} por {r}"),
    goOn: ("Continúa", "Continúa por {r}"),
    keep: ("Mantente a la izquierda", "Mantente a la derecha"),
    merge: ("Incorpórate", "Incorpórate a {r}"),
    ramp: ("Toma el ramal", "Toma el ramal hacia {r}"),
    roundabout: ("Cruza la rotonda", "En la rotonda, toma {r}"),
    roundaboutExit: (
      "En la rotonda, toma la {n} salida", "En la rotonda, toma la {n} salida hacia {r}"
    ),
    board: ("Toma el ferri", "Toma el ferri {r}"),
    via: "Has llegado a una parada",
    arrive: (
      "Has llegado a tu destino", "Tu destino está a la izquierda",
      "Tu destino está a la derecha"
    ),
    advisories: [
      .ferry: "Esta ruta incluye un ferri.", .toll: "Esta ruta incluye peajes.",
      .unpaved: "Esta ruta incluye caminos sin pavimentar.",
      .motorway: "Esta ruta incluye autopistas.",
      .stairs: "Esta ruta incluye escaleras.",
    ],
    gaps: ("La ruta empieza a {d} del punto de partida.", "La ruta termina a {d} del destino."),
    ordinal: { "\($0).ª" })

  static let japanese = Phrases(
    code: "ja", compass: ["北", "北東", "東", "南東", "南", "南西", "西", "北西"],
    turns: [
      .straight: ("直進", "直進して{r}に入る"),
      .slightRight: ("斜め右方向", "斜め右方向に曲がって{r}に入る"),
      .right: ("右折", "右折して{r}に入る"),
      .sharpRight: ("大きく右折", "大きく右折して{r}に入る"),
      .back: ("Uターン", "Uターンして{r}に入る"),
      .sharpLeft: ("大きく左折", "大きく左折して{r}に入る"),
      .left: ("左折", "左折して{r}に入る"),
      .slightLeft: ("斜め左方向", "斜め左方向に曲がって{r}に入る"),
    ],
    depart: ("{c}に向かって出発", "{r}を{c}に向かって出発"),
    goOn: ("そのまま進む", "そのまま{r}に入る"),
    keep: ("左側を進む", "右側を進む"),
    merge: ("合流", "{r}に合流"),
    ramp: ("ランプに入る", "ランプから{r}に入る"),
    roundabout: ("環状交差点を通過", "環状交差点で{r}に出る"),
    roundaboutExit: ("環状交差点で{n}の出口を出る", "環状交差点で{n}の出口から{r}に出る"),
    board: ("フェリーに乗る", "フェリー「{r}」に乗る"),
    via: "経由地に到着",
    arrive: ("目的地に到着", "左側の目的地に到着", "右側の目的地に到着"),
    advisories: [
      .ferry: "フェリーを利用します。", .toll: "有料道路を通ります。", .unpaved: "未舗装の道路を通ります。",
      .motorway: "高速道路を通ります。",
      .stairs: "階段を通ります。",
    ],
    gaps: ("出発地から{d}離れた場所から始まります。", "目的地から{d}離れた場所で終わります。"),
    ordinal: { "\($0)番目" })
}
