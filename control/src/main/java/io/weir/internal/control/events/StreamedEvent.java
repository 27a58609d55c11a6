package io.weir.internal.control.events;

import java.util.OptionalLong;

/** An event as readers of the stream receive it. Immutable. */
interface StreamedEvent {
  /** Returns the id by which a reader that reconnects says what it has; empty if it isn't kept. */
  OptionalLong id();

  String type();

  /** Returns the event as JSON on one line. */
  byte[] json();
}
