internal import CVersion

/// The version of all programs: they are built and installed together.
package let version = String(cString: locationdVersion())
