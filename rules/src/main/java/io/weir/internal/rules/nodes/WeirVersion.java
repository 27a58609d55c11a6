package io.weir.internal.rules.nodes;

import io.weir.Weir;
import java.lang.module.ModuleDescriptor;
import java.util.Optional;

/** Reads the version of Weir that runs. */
final class WeirVersion {
  private static final int MAX_CHARACTERS = 50;

  private WeirVersion() {}

  /** Returns the version of the jar's manifest, or of its module; empty outside of a jar. */
  static Optional<String> current() {
    return Optional.ofNullable(Weir.class.getPackage().getImplementationVersion())
        .or(
            () ->
                Optional.ofNullable(Weir.class.getModule().getDescriptor())
                    .flatMap(ModuleDescriptor::rawVersion))
        .map(version -> version.substring(0, Math.min(MAX_CHARACTERS, version.length())));
  }
}
