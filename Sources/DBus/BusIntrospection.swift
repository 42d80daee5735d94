internal import Platform

/// An object's description, in the bus's XML.
enum BusIntrospection {
  static func isStandard(_ interface: String) -> Bool {
    [BusStandard.properties, BusStandard.introspectable, BusStandard.peer].contains(interface)
  }

  static func document(of object: BusObject?, _ children: [String]) -> String {
    var text = """
      <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
      <node>

      """
    if let object {
      text += standard
      for interface in object.interfaces { text += interface.description }
    }
    for child in children { text += " <node name=\"\(child)\"/>\n" }
    return text + "</node>\n"
  }

  static func text(
    _ name: String, _ methods: [BusMethod], _ properties: [BusProperty],
    _ signals: [BusSignalDescription]
  ) -> String {
    var text = " <interface name=\"\(name)\">\n"
    for method in methods {
      text += "  <method name=\"\(method.name)\">\n"
      for argument in method.inputs { text += line(argument, " direction=\"in\"") }
      for argument in method.outputs { text += line(argument, " direction=\"out\"") }
      text += "  </method>\n"
    }
    for signal in signals {
      text += "  <signal name=\"\(signal.name)\">\n"
      for argument in signal.arguments { text += line(argument, "") }
      text += "  </signal>\n"
    }
    for property in properties { text += self.text(of: property) }
    return text + " </interface>\n"
  }

  private static func text(of property: BusProperty) -> String {
    let access = property.set == nil ? "read" : "readwrite"
    let start =
      "  <property name=\"\(property.name)\" type=\"\(property.type)\" access=\"\(access)\""
    // The default goes without saying.
    if property.change == .announced { return start + "/>\n" }
    let annotation = "org.freedesktop.DBus.Property.EmitsChangedSignal"
    return start + """
      >
         <annotation name="\(annotation)" value="\(property.change.rawValue)"/>
        </property>

      """
  }

  private static func line(_ argument: BusArgument, _ rest: String) -> String {
    "   <arg name=\"\(argument.name)\" type=\"\(argument.type)\"\(rest)/>\n"
  }

  private static let standard = """
     <interface name="org.freedesktop.DBus.Introspectable">
      <method name="Introspect">
       <arg name="data" type="s" direction="out"/>
      </method>
     </interface>
     <interface name="org.freedesktop.DBus.Peer">
      <method name="Ping"/>
      <method name="GetMachineId">
       <arg name="machine" type="s" direction="out"/>
      </method>
     </interface>
     <interface name="org.freedesktop.DBus.Properties">
      <method name="Get">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="out"/>
      </method>
      <method name="GetAll">
       <arg name="interface" type="s" direction="in"/>
       <arg name="properties" type="a{sv}" direction="out"/>
      </method>
      <method name="Set">
       <arg name="interface" type="s" direction="in"/>
       <arg name="property" type="s" direction="in"/>
       <arg name="value" type="v" direction="in"/>
      </method>
      <signal name="PropertiesChanged">
       <arg name="interface" type="s"/>
       <arg name="changed" type="a{sv}"/>
       <arg name="invalidated" type="as"/>
      </signal>
     </interface>

    """
}
