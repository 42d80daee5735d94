import DBus
import LocationCore
import LocationModel
import ReceiverCore

/// The networks that the radios of this machine hear, as NetworkManager has them; where that is not on the
/// bus, wpa_supplicant. Open, it listens to each scan, whoever had it made; closed, it asks nobody anything.
final class WiFiSource: Source {
  private let context: SourceContext
  private let bus: BusConnection?
  /// The interface whose radio counts; nil for all.
  private let interface: String?
  private var manager: BusSubscription?
  private var service: (any RadioService)?

  init(_ interface: String?, in context: SourceContext, _ bus: BusConnection?) {
    self.interface = interface
    self.context = context
    self.bus = bus
  }

  func open(for _: SourceDemand) {
    guard let bus else { return context.reportFailure("no bus is used, so there are no scans") }
    let radios = RadioList(interface) { [unowned self] in heard($0) }
    do throws(BusError) {
      manager = try bus.listen(to: ManagedRadios.name, ManagedRadios.signals) {
        [unowned self] in
        switch $0 {
        case .owner(let owner):
          radios.clear()
          service =
            owner == nil ? SuppliedRadios(radios, on: bus) : ManagedRadios(radios, on: bus)
          service?.begin()
        case .signal(let signal): service?.handle(signal)
        }
      }
    } catch {
      context.reportFailure("\(error)")
    }
  }

  func close() {
    manager = nil
    service = nil
  }

  func scan() { service?.radios.scan() }

  private func heard(_ report: RadioReport) {
    switch report {
    case .found: context.reportFound()
    case .none(let reason): context.reportFailure(reason)
    case .scan(let scan): context.report(.scan(scan))
    case .answer(let isGranted): context.reportScanAnswer(isGranted: isGranted)
    }
  }

  var details: SourceDetails {
    var details = SourceDetails()
    guard let service else { return details }
    let interfaces = service.radios.interfaces
    details.device = interfaces.isEmpty ? nil : interfaces.joined(separator: ", ")
    details.language = service.language
    if service.radios.isRefused {
      details.remark =
        "\(service.language) makes no scans for locationd, which lives on those that others ask for"
    }
    return details
  }
}

/// A program that has the radios of this machine.
protocol RadioService: AnyObject {
  /// Its name for people.
  var language: String { get }
  var radios: RadioList { get }
  /// Lists its radios, and those that come.
  func begin()
  /// A signal of NetworkManager's.
  func handle(_ signal: BusMessage)
}

extension RadioService {
  func handle(_ signal: BusMessage) {}
}
