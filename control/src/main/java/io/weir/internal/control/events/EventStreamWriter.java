package io.weir.internal.control.events;

import io.weir.Ticker;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes events as server-sent events. Ends after the given time, or when the reader may no longer
 * read, which is checked before each event and each second. Browsers reconnect by themselves, and
 * send the id of the last event that they have.
 *
 * <p>For one reader.
 */
final class EventStreamWriter implements StreamingOutput {
  private static final Logger LOG = System.getLogger(EventStreamWriter.class.getName());
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final int QUIET_CHECKS = 15;

  /** Jersey buffers this many bytes at first, even if the stream is flushed. */
  private static final int BUFFER = 8_192;

  private final EventHub hub;
  private final Subscription events;
  private final BooleanSupplier mayRead;
  private final Duration maxDuration;
  private final Ticker ticker;

  EventStreamWriter(
      EventHub hub,
      Subscription events,
      BooleanSupplier mayRead,
      Duration maxDuration,
      Ticker ticker) {
    this.hub = hub;
    this.events = events;
    this.mayRead = mayRead;
    this.maxDuration = maxDuration;
    this.ticker = ticker;
  }

  /** Ends quietly when the reader has gone, as each page does that is closed. */
  @Override
  public void write(OutputStream out) {
    try {
      write(out, ":" + " ".repeat(BUFFER) + "\nretry: 1000\n\n");
      long end = ticker.nanoTime() + maxDuration.toNanos();
      int quiet = 0;
      while (mayRead.getAsBoolean() && !events.isDropped() && ticker.nanoTime() - end < 0) {
        hub.checkStores();
        Optional<StreamedEvent> next = events.next(CHECK_INTERVAL);
        if (next.isPresent() && mayRead.getAsBoolean()) {
          quiet = 0;
          write(out, next.get());
        } else if (next.isEmpty() && ++quiet % QUIET_CHECKS == 0) {
          write(out, ": still here\n\n"); // without writing, a closed connection goes unnoticed
        }
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (IOException gone) {
      LOG.log(Level.DEBUG, "A reader of events has disconnected", gone);
    } finally {
      hub.unsubscribe(events);
    }
  }

  private static void write(OutputStream out, StreamedEvent event) throws IOException {
    String id = event.id().isPresent() ? "id: " + event.id().getAsLong() + "\n" : "";
    write(out, id + "event: " + event.type() + "\ndata: ");
    out.write(event.json());
    write(out, "\n\n");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
