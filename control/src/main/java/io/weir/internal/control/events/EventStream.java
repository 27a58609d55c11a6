package io.weir.internal.control.events;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes events as server-sent events, until the reader may no longer read, which is asked before
 * each event and each second, or for a minute at most; browsers come again by themselves, and say
 * what they have had.
 *
 * <p>For one reader.
 */
final class EventStream implements StreamingOutput {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final int QUIET_LOOKS = 15;

  /** Jersey sends nothing before so many bytes are there, whatever is flushed. */
  private static final int BUFFER = 8_192;

  private final EventHub hub;
  private final Subscription events;
  private final BooleanSupplier mayRead;
  private final Duration longest;

  EventStream(EventHub hub, Subscription events, BooleanSupplier mayRead, Duration longest) {
    this.hub = hub;
    this.events = events;
    this.mayRead = mayRead;
    this.longest = longest;
  }

  @Override
  public void write(OutputStream out) throws IOException {
    try {
      write(out, ":" + " ".repeat(BUFFER) + "\nretry: 1000\n\n");
      long end = System.nanoTime() + longest.toNanos();
      int quiet = 0;
      while (mayRead.getAsBoolean() && !events.isDropped() && System.nanoTime() - end < 0) {
        hub.look();
        Optional<ControlEvent> next = events.next(LOOK);
        if (next.isPresent() && mayRead.getAsBoolean()) {
          quiet = 0;
          write(out, next.get());
        } else if (next.isEmpty() && ++quiet % QUIET_LOOKS == 0) {
          write(out, ": still here\n\n"); // or nobody would find out that the reader is gone
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      hub.unsubscribe(events);
    }
  }

  private static void write(OutputStream out, ControlEvent event) throws IOException {
    write(out, "id: " + event.id() + "\nevent: " + event.type() + "\ndata: ");
    out.write(event.json());
    write(out, "\n\n");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
