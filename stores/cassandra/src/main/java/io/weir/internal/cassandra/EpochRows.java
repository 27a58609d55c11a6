package io.weir.internal.cassandra;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weir.internal.store.StoreUnavailableException;
import io.weir.store.Epoch;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the epoch of the data in rows of the same table, so that it is lost together with the
 * buckets.
 *
 * <p>One row holds the epoch's id; a transaction makes it, so there is never more than one. Another
 * counts the beats of all nodes: a restored snapshot has fewer than any node has seen. A third
 * names the epoch that is known to have replaced another.
 *
 * <p>Safe for concurrent use.
 */
final class EpochRows {
  private static final long BEAT_SLOT = 1;
  private static final long WIPED_SLOT = 2;
  private static final int ID_LENGTH = 16;

  /** The length of a beat, in microseconds. */
  private static final long BEAT = 1_000_000;

  /** The difference between coordinators' clocks that the age of a new epoch allows for. */
  private static final long SKEW = 250_000;

  /**
   * The time for which beats are kept; a node that was away longer takes the epoch for a new one.
   */
  private static final int SECONDS = 7 * 86_400;

  private static final int MAX_TRIES = 4;

  /** The most readings under way; further callers share the next one. */
  private static final int MAX_READINGS = 4;

  private final Supplier<BucketTable> table;
  private final StoreClock clock;
  private final String name;
  private final BooleanSupplier overlaps;
  private final SecureRandom random = new SecureRandom();
  private final AtomicInteger readings = new AtomicInteger();
  private final AtomicReference<@Nullable CompletableFuture<Found>> next = new AtomicReference<>();

  /**
   * Uses the table of a connection.
   *
   * @param overlaps whether reads see all earlier writes; if not, a missing or older row proves
   *     nothing
   */
  EpochRows(Supplier<BucketTable> table, StoreClock clock, String name, BooleanSupplier overlaps) {
    this.table = table;
    this.clock = clock;
    this.name = name;
    this.overlaps = overlaps;
  }

  /** Reads the epoch, and makes a new one if there is none or data was lost. */
  CompletionStage<Epoch> ask(Epoch known) {
    return ask(known, MAX_TRIES);
  }

  private CompletionStage<Epoch> ask(Epoch known, int tries) {
    return read()
        .thenCompose(
            found -> {
              if (found.id.isEmpty()) {
                return make(known, null, known.exists(), tries);
              }
              String id = found.id.get();
              boolean same = known.exists() && known.id().equals(id);
              if (same && found.beats < known.beats() && overlaps.getAsBoolean()) {
                return make(known, id.getBytes(US_ASCII), true, tries);
              }
              boolean wiped = id.equals(found.wiped);
              boolean other = known.exists() && !same && !wiped;
              return other
                  ? noteWiped(id).thenApply(any -> epoch(found, id, true))
                  : beat(known, found).thenApply(any -> epoch(found, id, wiped));
            });
  }

  private Epoch epoch(Found found, String id, boolean wiped) {
    long age = Math.max(0, found.time - found.bornAt - SKEW);
    return new Epoch(id, found.beats, age, wiped);
  }

  private CompletionStage<Epoch> make(
      Epoch known, byte @Nullable [] before, boolean wiped, int tries) {
    String id = HexFormat.of().toHexDigits(random.nextLong());
    CompletionStage<?> noted =
        wiped
            ? noteWiped(id)
            : CompletableFuture.completedFuture(null); // first, so that all nodes notice
    return noted
        .thenCompose(
            any ->
                table
                    .get()
                    .swapEpoch(name, before, id.getBytes(US_ASCII), Math.max(1, clock.now())))
        .thenCompose(
            made -> {
              if (!made && tries == 0) {
                throw new StoreUnavailableException("other nodes keep creating new epochs");
              }
              return ask(made && !wiped ? Epoch.NONE : known, tries - 1);
            });
  }

  private CompletionStage<?> noteWiped(String id) {
    var row = new BucketTable.NoteRow(WIPED_SLOT, LevelRows.NOBODY, 0, 0, id.getBytes(US_ASCII));
    return table.get().writeNote(name, row, SECONDS, clock.timestamp());
  }

  /** Beats at most once a second over all nodes; no caller waits for it. */
  private CompletionStage<?> beat(Epoch known, Found found) {
    long beats = Math.max(clock.now() / BEAT, known.beats());
    if (beats > found.beats) {
      var row = new BucketTable.NoteRow(BEAT_SLOT, LevelRows.NOBODY, beats, 0, new byte[0]);
      table.get().writeNote(name, row, SECONDS, beats * BEAT);
    }
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Returns whether the data still belongs to an epoch, by a reading that begins after this call.
   *
   * @param id the epoch's id; empty if none is known
   */
  CompletionStage<Confirmation> confirm(String id) {
    if (id.isEmpty()) {
      long latest = clock.now() + clock.uncertainty();
      return CompletableFuture.completedFuture(new Confirmation(true, latest));
    }
    return shared()
        .thenApply(
            found ->
                new Confirmation(
                    found.id.map(id::equals).orElse(!overlaps.getAsBoolean()), found.time));
  }

  /**
   * The outcome of {@link #confirm}.
   *
   * @param same whether the data still belongs to the epoch
   * @param time the store's time after the call, in microseconds
   */
  record Confirmation(boolean same, long time) {}

  /** Returns a reading that begins after this call, shared with others that ask meanwhile. */
  private CompletionStage<Found> shared() {
    if (readings.incrementAndGet() <= MAX_READINGS) {
      return read().whenComplete((any, failure) -> over());
    }
    readings.decrementAndGet();
    CompletableFuture<Found> waiting =
        next.updateAndGet(before -> before == null ? new CompletableFuture<>() : before);
    if (readings.get() == 0) {
      readNext(); // the last reading may have ended without seeing this request
    }
    return waiting;
  }

  private void over() {
    readings.decrementAndGet();
    readNext();
  }

  private void readNext() {
    CompletableFuture<Found> waiting = next.getAndSet(null);
    if (waiting == null) {
      return;
    }
    readings.incrementAndGet();
    CompletionStage<Found> reading;
    try {
      reading = read();
    } catch (RuntimeException away) {
      reading = CompletableFuture.failedFuture(away);
    }
    reading.whenComplete(
        (found, failure) -> {
          if (failure == null) {
            waiting.complete(found);
          } else {
            waiting.completeExceptionally(failure);
          }
          over();
        });
  }

  private CompletionStage<Found> read() {
    return table.get().readNotes(name).thenApply(this::found);
  }

  private Found found(BucketTable.Notes notes) {
    Optional<String> id = Optional.empty();
    long bornAt = 0;
    long beats = 0;
    String wiped = "";
    for (BucketTable.NoteRow row : notes.rows()) {
      String text = new String(row.state(), US_ASCII);
      if (row.slot() == BEAT_SLOT) {
        beats = row.used();
      } else if (row.slot() == WIPED_SLOT) {
        wiped = text;
      } else if (row.slot() == 0 && row.state().length == ID_LENGTH) {
        id = Optional.of(text);
        bornAt = row.used();
      }
    }
    return new Found(id, bornAt, beats, wiped, notes.time() == 0 ? clock.now() : notes.time());
  }

  /**
   * The content of the rows.
   *
   * @param bornAt when the epoch began, in microseconds
   * @param beats the number of the last beat
   * @param wiped the id of the epoch that is known to have replaced another
   * @param time the coordinator's time
   */
  private record Found(Optional<String> id, long bornAt, long beats, String wiped, long time) {}
}
