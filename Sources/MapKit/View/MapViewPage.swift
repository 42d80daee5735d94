import CoreLocation
import Dispatch
public import Foundation
import LocationClient
import LocationModel

// Names that Apple's MKMapView does not have: an app on Linux has no screen of its own for it.
extension MKMapView {
  /// The page's address, once it is served.
  public var url: URL? { page?.url }

  /// Serves the page to this user, on this machine alone, as long as the map lives. `locationd-map` has to be
  /// installed; the error says what is missing.
  @discardableResult
  public func serve() async throws -> URL {
    if let page { return page.url }
    guard let program = MapPage.program else {
      throw MKError(
        .serverFailure,
        "The map has no page: locationd-map is not installed, neither beside this program nor in PATH."
          + " The package locationd-map has it."
      )
    }
    let new = try await MapPage.serve(by: program)
    // Another call may have been faster; then its page is the map's.
    if let page { return page.url }
    new.receive = { [weak self] in self?.receive($0) }
    new.ended = { [weak self] in
      self?.page = nil
      self?.pageSize = nil
    }
    page = new
    updateAll()
    return new.url
  }

  /// Opens the page in the browser that the person has; false where there is none, or no page.
  @discardableResult
  public func openInBrowser() async -> Bool {
    guard Desktop.hasScreen, let url = try? await serve() else { return false }
    return Desktop.open(url.absoluteString)
  }
}

// MARK: - To the page

extension MKMapView {
  private func updateAll() {
    makeNewViews()
    makeNewRenderers()
    page?.set(
      "about",
      ["app": .string(ProcessInfo.processInfo.processName), "locale": .string(Self.language)])
    news.isSelectionNew = true
    news.areOverlaysNew = true
    news.isUserNew = true
    news.isTrackingNew = true
    news.areSettingsNew = true
    news.view = news.view ?? PageView(number: lastView, rect: shown.rect, isAnimated: false)
    updatePage(isWhole: true)
  }

  private static var language: String { Locale.preferredLanguages.first ?? "en" }

  /// `isWhole`: the page is told all that lies on the map, with the pictures that are still used.
  func updatePage(isWhole: Bool = false) {
    defer { news = PageNews(pins: page == nil ? PinNews() : news.pins) }
    guard let page else { return }
    let isWhole = isWhole || pictures.areMany
    if isWhole {
      pictures.forget()
      page.set("images", .array([]))
    }
    if news.areSettingsNew { page.set("settings", settings.json) }
    updatePins(page, isWhole)
    if news.areClustersNew { tellClusters() }
    if news.areOverlaysNew || isWhole { page.set("overlays", drawnOverlays()) }
    if isWhole { pictures.settle() }
    if news.isSelectionNew {
      let selected = selection.first.flatMap { pins[$0]?.number }
      page.set("selected", selected.map { .integer(Int64($0)) } ?? .null)
    }
    if news.isTrackingNew {
      page.set(
        "tracking", ["shown": .bool(showsUserLocation), "follows": .bool(tracking != .none)])
    }
    if let view = news.view { page.set("view", view.json) }
    if news.isUserNew { updateUser(page) }
  }

  private func updateUser(_ page: MapPage) {
    page.set(
      "tracking", ["shown": .bool(showsUserLocation), "follows": .bool(tracking != .none)])
    page.set("position", showsUserLocation ? userLocation.json : .null)
    page.set("heading", showsUserLocation ? userLocation.direction : .null)
    let problem = news.problem.map { JSON.string($0.plain()) }
    page.set("obstacle", problem.map { ["kind": "refused", "text": $0] } ?? .null)
  }

  private func updatePins(_ page: MapPage, _ isWhole: Bool) {
    guard !news.pins.isEmpty || isWhole else { return }
    let told = news.pins.take(of: pins.count, isWhole: isWhole)
    if told.isWhole {
      page.set("pins", .array(sortedPins.compactMap(json)))
      return tellClusters()
    }
    for number in told.gone { page.add("pins", Pin.gone(number)) }
    for pin in sortedPins where told.changed.contains(pin.number) {
      if let json = json(pin) { page.add("pins", json) }
    }
  }

  private var sortedPins: [Pin] { pins.values.sorted { $0.number < $1.number } }

  func json(_ pin: Pin) -> JSON? { pin.json { number(of: $0) } }

  /// A picture is told once.
  func number(of image: UIImage) -> Int {
    let (number, isNew) = pictures.number(of: image)
    if isNew { page?.add("images", image.json(number)) }
    if pictures.areMany { takeTurn() }
    return number
  }
}

// MARK: - From the page

extension MKMapView {
  private func receive(_ line: JSON) {
    guard let request = line["wish"], let number = line["page"], let id = line["id"] else { return }
    if let question = request["ask"]?.string, Self.questions.contains(question) {
      return ask(question, request["of"]) { [weak page = self.page] answer in
        page?.write(["to": number, "id": id, "value": answer])
      }
    }
    let answer: @MainActor (JSON?) -> Void = { [weak page = self.page] result in
      page?.write([
        "to": number, "id": id,
        "value": result.map { ["result": $0] }
          ?? ["error": ["kind": "failed", "text": "The app's map knows no such wish."]],
      ])
    }
    if let tile = request["tile"] { return load(tile, answer) }
    if let cluster = cluster(request["select"]) {
      return answer(.bool(isMoved(bySelecting: cluster)))
    }
    answer(handle(request) ? .bool(true) : nil)
  }

  /// The app has the picture loaded; null where there is none.
  private func load(_ tile: JSON, _ answer: @escaping @MainActor (JSON?) -> Void) {
    guard let index = tile["overlay"]?.integer, layers.indices.contains(Int(index)),
      let overlay = layers[Int(index)].overlay as? MKTileOverlay,
      let z = tile["z"]?.integer, (0...30).contains(z), let x = tile["x"]?.integer,
      let y = tile["y"]?.integer, (0..<1 << z).contains(x), (0..<1 << z).contains(y)
    else { return answer(nil) }
    let path = MKTileOverlayPath(
      x: Int(x), y: Int(y), z: Int(z), contentScaleFactor: tile["scale"]?.integer == 2 ? 2 : 1)
    let loader = TileLoader(overlay: overlay)
    Task { answer(await loader.picture(at: path).map(JSON.string) ?? .null) }
  }

  /// The page asks these of the service of places, for the ground that it draws.
  private static let questions: Set<String> = ["status", "streets", "tile"]

  private func ask(
    _ question: String, _ parameters: JSON?, _ reply: @escaping @MainActor (JSON) -> Void
  ) {
    let request: PlaceRequest
    do throws(Refusal) {
      request = try PlaceRequest(method: question, parameters: Parameters(parameters))
    } catch {
      return reply(["error": ["kind": "failed", "text": .string(error.message.plain())]])
    }
    page?.places.ask(request) { answer in
      let value: JSON =
        switch answer {
        case .success(let found): ["result": found.json]
        case .failure(let error):
          ["error": ["kind": "noPlaces", "text": .string(error.message.plain())]]
        }
      DispatchQueue.main.async { reply(value) }
    }
  }

  private func handle(_ request: JSON) -> Bool {
    if let view = request["view"] {
      moved(view)
    } else if let place = request["tap"]?.array?.compactMap(\.double), place.count == 2 {
      let coordinate = CLLocationCoordinate2D(latitude: place[0], longitude: place[1])
      guard CLLocationCoordinate2DIsValid(coordinate) else { return false }
      delegate?.mapView(self, didTapAt: coordinate)
    } else if let lists = request["clusters"]?.array {
      update(clustersOf: lists)
    } else if let pin = pin(request["drag"]), let view = pin.view {
      return drag(pin.annotation, view, to: request["at"]?.array?.compactMap(\.double))
    } else if let pin = pin(request["select"]) {
      selectAnnotation(pin.annotation, animated: true)
    } else if let pin = pin(request["deselect"]) {
      deselectAnnotation(pin.annotation, animated: true)
    } else if let pin = pin(request["control"]), let view = pin.view {
      let side =
        switch request["side"]?.string {
        case "left": view.leftCalloutAccessoryView
        case "detail": view.detailCalloutAccessoryView
        default: view.rightCalloutAccessoryView
        }
      guard let control = side as? UIControl, control.isEnabled else { return false }
      delegate?.mapView(self, annotationView: view, calloutAccessoryControlTapped: control)
      control.sendActions(for: .pressed)
    } else if let follows = request["follow"]?.bool {
      setUserTrackingMode(follows && showsUserLocation ? .follow : .none, animated: true)
    } else {
      return false
    }
    return true
  }

  /// False where the app leaves it to the page to show the members of a cluster.
  private func isMoved(bySelecting cluster: Pin) -> Bool {
    let before = lastView
    // A person may tap it once more.
    selection.removeAll { $0 == ObjectIdentifier(cluster.annotation) }
    selectAnnotation(cluster.annotation, animated: true)
    return lastView != before
  }

  /// The page has said for the first time which part it shows; it says nothing of what it has loaded and drawn.
  private func begun() {
    delegate?.mapViewWillStartLoadingMap(self)
    delegate?.mapViewDidFinishLoadingMap(self)
    delegate?.mapViewWillStartRenderingMap(self)
    delegate?.mapViewDidFinishRenderingMap(self, fullyRendered: true)
  }

  func pin(_ number: JSON?) -> Pin? {
    guard let number = number?.integer else { return nil }
    return pins.values.first { $0.number == number }
  }

  /// The page shows this now, after the request of the app or the person.
  private func moved(_ json: JSON) {
    func degrees(_ name: String, _ limit: Double) -> Double? {
      json[name]?.double.flatMap { $0.magnitude <= limit ? $0 : nil }
    }
    guard let north = degrees("north", 90), let south = degrees("south", 90),
      let west = degrees("west", 10_000), let east = degrees("east", 10_000), north > south,
      east > west, let width = degrees("width", 100_000), let height = degrees("height", 100_000),
      width > 0, height > 0,
      // The app may have set another part since.
      json["number"]?.integer == Int64(lastView)
    else { return }
    let isFirst = pageSize == nil
    pageSize = CGSize(width: width, height: height)
    if isFirst { begun() }
    if isFirst, let look = looked, look.number == lastView {
      return self.look(from: look.camera, false)
    }
    let isPerson = json["person"]?.bool == true
    if isPerson { delegate?.mapView(self, regionWillChangeAnimated: true) }
    let middle = (west + east) / 2
    let turns = ((middle + 180) / 360).rounded(.down) * 360
    shown = MKCoordinateRegion(
      from: south, to: north, longitude: middle - turns, width: min(east - west, 360))
    drawAnewIfNeeded()
    guard isPerson else { return }
    changesToTell.append(true)
    takeTurn()
    keepWithinBounds(true)
  }
}
