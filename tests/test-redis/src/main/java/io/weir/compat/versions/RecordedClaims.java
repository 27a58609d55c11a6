package io.weir.compat.versions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.Epoch;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.StepRefillRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Shows that nodes of the version before and of this one count together in one store.
 *
 * <p>The version before has played some steps, each by a node that remembered nothing, and the file
 * {@code version-before.txt} beside a test holds what came of them: grants, shares of nodes and all
 * rows. Here a node of this version plays each step on the rows that the version before left. Its
 * grants must be the same: it reads what that one wrote. So must its rows be: that one counts on
 * from them as from its own. Hence all that nodes of both do in turns is what one version would do.
 *
 * <p>To record a version, run the tests in its tree with {@code -Dweir.test.record=DIRECTORY}.
 *
 * <p>Confine to one thread.
 */
public final class RecordedClaims {
  private static final String FILE = "version-before.txt";
  private static final String ROW = "row ";
  private static final int STEPS = 9;

  /** Later than the time of day, by which stores remove expired rows. */
  private static final long BEGIN = 2_000_000_040L * 1_000_000;

  /** Within a slot, to the next, to a later one, beyond the window, to the next day. */
  private static final long[] PAUSES = {0, 300_000, 1, 1_700_000, 12_345_678, 64_000_000};

  private static final CalendarWindow DAYS =
      CalendarWindow.of(1, ChronoUnit.DAYS, ZoneOffset.ofHours(2));
  private static final CalendarWindow PERIOD =
      CalendarWindow.period(
          Instant.ofEpochSecond(2_000_000_000), Instant.ofEpochSecond(2_000_000_100));
  private static final List<BucketSpec> SPECS =
      Stream.of(
              BucketSpec.builder("fixed").algorithm(Algorithm.FIXED_WINDOW),
              BucketSpec.builder("sliding").algorithm(Algorithm.SLIDING_WINDOW),
              BucketSpec.builder("cleared").algorithm(Algorithm.SLIDING_WINDOW).clears(true),
              BucketSpec.builder("log").algorithm(Algorithm.SLIDING_LOG),
              BucketSpec.builder("tokens").algorithm(Algorithm.TOKEN_BUCKET),
              BucketSpec.builder("refilled")
                  .algorithm(Algorithm.TOKEN_BUCKET)
                  .window(Duration.ofSeconds(10))
                  .refill(true)
                  .strict(true),
              BucketSpec.builder("leaky").algorithm(Algorithm.LEAKY_BUCKET),
              BucketSpec.builder("days").algorithm(Algorithm.FIXED_WINDOW).calendar(DAYS),
              BucketSpec.builder("period").algorithm(Algorithm.FIXED_WINDOW).calendar(PERIOD))
          .map(BucketSpec.Builder::build)
          .toList();

  private final StoredRows rows;
  private final List<List<Grant>> grants = new ArrayList<>();
  private Epoch epoch = Epoch.NONE;
  private long micros = BEGIN;

  private RecordedClaims(StoredRows rows) {
    this.rows = rows;
    SPECS.forEach(any -> grants.add(new ArrayList<>()));
  }

  /**
   * Plays all steps on a store.
   *
   * @param test the class beside which the recording lies
   */
  public static void check(Class<?> test, StoredRows rows) {
    String directory = System.getProperty("weir.test.record", "");
    if (directory.isEmpty()) {
      new RecordedClaims(rows).playOn(recorded(test));
    } else {
      new RecordedClaims(rows).record(Path.of(directory, test.getPackageName() + "." + FILE));
    }
  }

  private static List<String> recorded(Class<?> test) {
    try (InputStream file = test.getResourceAsStream(FILE)) {
      return new String(file.readAllBytes(), UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void record(Path file) {
    List<String> lines = new ArrayList<>();
    rows.replace(List.of());
    for (int step = 0; step < STEPS; step++) {
      List<String> played = play(step);
      lines.addAll(played);
      rows.replace(rowsOf(played));
    }
    try {
      Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Plays each step but the first, which makes the random name of the data. */
  private void playOn(List<String> recording) {
    List<String> before = step(recording, 0);
    for (int step = 1; step < STEPS; step++) {
      rows.replace(rowsOf(before));
      List<String> recorded = step(recording, step);
      assertEquals(String.join("\n", recorded), String.join("\n", play(step)), "step " + step);
      before = recorded;
    }
  }

  private static List<String> step(List<String> recording, int step) {
    int from = recording.indexOf(title(step));
    int to = recording.indexOf(title(step + 1));
    assertFalse(from < 0, "no step " + step + " is recorded");
    return recording.subList(from, to < 0 ? recording.size() : to);
  }

  private static String title(int step) {
    return "step " + step;
  }

  private static List<String> rowsOf(List<String> step) {
    return step.stream()
        .filter(each -> each.startsWith(ROW))
        .map(each -> each.substring(4))
        .toList();
  }

  private List<String> play(int step) {
    List<String> lines = new ArrayList<>(List.of(title(step)));
    micros = BEGIN;
    for (int i = 0; i < step; i++) {
      micros += PAUSES[i % PAUSES.length];
    }
    try (LeasingStore store = rows.open(() -> micros)) {
      join(store.connect());
      Epoch found = join(store.epoch(0, epoch));
      lines.add("data " + found.id() + (found.wiped() ? ", which was lost" : ""));
      epoch = new Epoch(found.id(), 0, 0, false);
      if (step > 0) {
        claim(step, store, found, lines);
      }
      rows.read(step).stream().sorted().forEach(each -> lines.add(ROW + each));
    }
    return lines;
  }

  private void claim(int step, LeasingStore store, Epoch data, List<String> lines) {
    lines.add(join(store.heartbeat("node " + step)).toString());
    for (int i = 0; i < SPECS.size(); i++) {
      Random random = new Random(1_000L * step + i);
      Claim claim = claim(random, SPECS.get(i), grants.get(i), store.grantsFarLeases());
      Grant grant = join(store.execute(0, data, List.of(claim))).get(0).orElseThrow();
      if (grant.permits() > 0) {
        grants.get(i).add(grant);
      }
      lines.add(SPECS.get(i).name() + ": " + text(claim) + " → " + grant);
    }
    store
        .exactBuckets()
        .ifPresent(
            exact -> {
              StepRefillRequest request =
                  StepRefillRequest.builder("exact".getBytes(UTF_8), 10, 3_600_000)
                      .take(1 + step % 3)
                      .at(micros / 1_000)
                      .build();
              lines.add("exact: " + join(exact.execute(request)));
            });
  }

  private Claim claim(Random random, BucketSpec spec, List<Grant> granted, boolean lends) {
    long limit = 40L + random.nextInt(60);
    long needed = random.nextInt(5);
    Claim.Builder claim =
        Claim.builder(
                new BucketId(spec, Key.of("caller")), spec.hasRefill() ? limit / 5 : limit, limit)
            .needed(needed)
            .atLeast(random.nextBoolean() ? needed : 0)
            .extra(random.nextInt(3) == 0 ? random.nextInt(20) : 0)
            .far(lends && !spec.clears() && random.nextBoolean() ? random.nextInt(20) : 0)
            .debt(random.nextInt(4) == 0 ? random.nextInt(9) : 0)
            .usedAtLeast(spec.isOfPeriod() && random.nextInt(3) == 0 ? random.nextInt(40) : 0);
    @Nullable Grant last = granted.isEmpty() ? null : granted.remove(granted.size() - 1);
    if (last != null && spec.clears()) {
      claim.clearBefore(last.stamp());
    } else if (last != null) {
      claim.giveBack(new GiveBack(last.stamp(), 1 + random.nextInt((int) last.permits())));
    }
    if (spec.strict()) {
      claim.refusedAt(micros - random.nextInt(2_000_000));
    }
    spec.calendar().ifPresent(each -> claim.window(each.opens(micros), each.closes(micros)));
    return claim.build();
  }

  private static String text(Claim claim) {
    return claim.needed()
        + " of "
        + claim.effectiveLimit()
        + ", at least "
        + claim.atLeast()
        + ", extra "
        + claim.extra()
        + ", far "
        + claim.far()
        + ", debt "
        + claim.debt()
        + ", used "
        + claim.usedAtLeast()
        + ", cleared before "
        + claim.clearBefore()
        + ", "
        + claim.giveBacks();
  }

  private static <T> T join(CompletionStage<T> answer) {
    return answer.toCompletableFuture().join();
  }
}
