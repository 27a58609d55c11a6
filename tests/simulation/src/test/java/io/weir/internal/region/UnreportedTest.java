package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.internal.clock.NodeClock;
import io.weir.seeds.Seeds;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The number of permits whose report a region hasn't answered, which is kept up to date, is what is
 * on its way there, and what it is sent if all is sent at this moment.
 */
class UnreportedTest {
  private static final int BUCKETS = 8;
  private static final int ROOM = 6;

  @Test
  void theSumIsWhatIsOnItsWayAndWhatIsSentIfAllIsSentAtThisMoment() {
    Seeds.each(300, any -> new Trial(any).run());
  }

  /** Reports that come up and are sent at random. */
  private static final class Trial {
    private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:01:00Z"));
    private final NodeClock clock = new NodeClock(new VirtualClock(time, 0, 0, 0));
    private final SimulatedStore store = new SimulatedStore(time::now);
    private final Random random;
    private final int regions;
    private final boolean[] silent = new boolean[3];
    private final RegionReports reports;
    private final Map<BucketId, List<Long>> stamps = new HashMap<>();
    private final List<List<ReportedBucket.Report>> out = new ArrayList<>();

    Trial(Random random) {
      this.random = random;
      this.regions = 1 + random.nextInt(3);
      this.reports =
          new RegionReports(clock, regions, ROOM, region -> silent[region], Runnable::run);
      for (int region = 0; region < regions; region++) {
        out.add(List.of());
      }
    }

    void run() {
      for (int steps = random.nextInt(150); steps > 0; steps--) {
        step();
      }
      for (int region = 0; region < regions; region++) {
        if (random.nextBoolean()) {
          answerAll(region);
        } else {
          answer(region);
        }
      }
      time.run(Duration.ofSeconds(1));
      reports.tidy(); // drops what no longer counts
      for (int region = 0; region < regions; region++) {
        long unreported = reports.unreported(region);
        assertEquals(unreported, sendAll(region), "region " + region + " of " + regions);
        assertEquals(0, reports.unreported(region));
      }
    }

    private void step() {
      int region = random.nextInt(regions);
      switch (random.nextInt(9)) {
        case 0, 1 -> use(Claim.builder(bucket(), 100, 100).needed(1 + random.nextInt(20)));
        case 2 -> use(Claim.builder(bucket(), 100, 100).debt(1 + random.nextInt(20)));
        case 3 -> giveBack();
        case 4 -> time.run(Duration.ofMillis(random.nextInt(6_000)));
        case 5 -> reports.tidy();
        case 6 -> answer(region);
        case 7 -> silent[region] = !silent[region];
        default -> {
          answer(region); // one batch is out at a time
          out.set(region, reports.take(region, random.nextInt(2 * ROOM), any -> false));
        }
      }
    }

    private BucketId bucket() {
      int which = random.nextInt(BUCKETS);
      Algorithm[] all = Algorithm.values();
      BucketSpec spec =
          BucketSpec.builder("unreported")
              .algorithm(all[which % all.length])
              .window(Duration.ofSeconds(which < BUCKETS / 2 ? 5 : 60))
              .build();
      return new BucketId(spec, Key.of("caller " + which));
    }

    private void use(Claim.Builder claim) {
      Claim made = claim.build();
      long sentAt = clock.micros();
      Grant grant = store.execute(List.of(made)).toCompletableFuture().join().get(0).orElseThrow();
      reports.count(made, grant, sentAt);
      stamps.computeIfAbsent(made.bucket(), any -> new ArrayList<>()).add(grant.stamp());
    }

    private void giveBack() {
      BucketId bucket = bucket();
      List<Long> its = stamps.getOrDefault(bucket, List.of(0L));
      long stamp = its.get(random.nextInt(its.size()));
      use(Claim.builder(bucket, 100, 100).giveBack(new GiveBack(stamp, 1 + random.nextInt(9))));
    }

    private void answer(int region) {
      for (ReportedBucket.Report each : out.get(region)) {
        switch (random.nextInt(3)) {
          case 0 -> reports.answered(region, each, grant());
          case 1 -> reports.unanswered(region, each);
          default -> reports.unsure(region, each);
        }
      }
      out.set(region, List.of());
    }

    private void answerAll(int region) {
      long before = reports.unreported(region);
      long onItsWay = 0;
      for (ReportedBucket.Report each : out.get(region)) {
        onItsWay += each.claim().debt();
        reports.answered(region, each, grant());
      }
      out.set(region, List.of());
      assertEquals(onItsWay, before - reports.unreported(region), "region " + region);
    }

    private Grant grant() {
      return Grant.builder().granted(0, random.nextInt(5), 1).build();
    }

    /** Sends all to a region that answers; returns the permits. */
    private long sendAll(int region) {
      long sent = 0;
      while (reports.hasNews(region)) {
        for (ReportedBucket.Report each : reports.take(region, ROOM, any -> false)) {
          sent += each.claim().debt();
          reports.answered(region, each, grant());
        }
      }
      return sent;
    }
  }
}
