package io.weir.cdi;

import jakarta.enterprise.inject.build.compatible.spi.Messages;

/** Knows what containers can intercept, as far as they differ. */
enum Container {
  /**
   * Quarkus' ArC, which changes the code of classes when the application is built: it intercepts
   * static methods and calls on {@code this}, and removes {@code final}.
   */
  ARC(true),

  /** Weld and others, which make subclasses when the application starts. */
  OTHER(false);

  private final boolean changesClasses;

  Container(boolean changesClasses) {
    this.changesClasses = changesClasses;
  }

  /** Recognizes the container by a part of it. */
  static Container of(Messages part) {
    return part.getClass().getName().startsWith("io.quarkus.arc.") ? ARC : OTHER;
  }

  boolean changesClasses() {
    return changesClasses;
  }
}
