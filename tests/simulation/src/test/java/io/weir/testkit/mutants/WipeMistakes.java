package io.weir.testkit.mutants;

import static io.weir.testkit.mutants.Catalogue.writeBack;

import java.util.ArrayList;
import java.util.List;

/** Mistakes of a node when the store has lost its data. */
final class WipeMistakes {
  private WipeMistakes() {}

  static List<Mutant> all() {
    List<Mutant> all = new ArrayList<>();
    for (Scenario scenario :
        List.of(Scenario.WIPED_FIXED, Scenario.WIPED_SLIDING, Scenario.WIPED_LOG)) {
      all.add(
          new Mutant(
              "no node waits until all have reported, " + scenario,
              scenario,
              "limit",
              writeBack(
                  "channel/EpochTracker",
                  "return until != OPEN && clock.micros() < until;",
                  "return false;")));
      all.add(
          new Mutant(
              "no node reports again, " + scenario,
              scenario,
              "limit",
              writeBack(
                  "channel/PartitionChannel",
                  "dataLoss.dataLost(partition(), PartitionChannel.this::enqueue);",
                  "")));
    }
    for (Scenario scenario : List.of(Scenario.WIPED_ONCE_FIXED, Scenario.WIPED_ONCE_SLIDING)) {
      all.add(
          new Mutant(
              "all is told twice, " + scenario,
              scenario,
              "use",
              writeBack(
                  "debt/BucketLedger",
                  "lostCharges.add(Math.min(charged.total(now), burst), charged.until());",
                  "lostCharges.add(2 * Math.min(charged.total(now), burst), charged.until());"),
              writeBack(
                  "CachedBucket",
                  "return reports ? charged : 0;",
                  "return reports ? 2 * charged : 0;")));
    }
    all.addAll(parts());
    return all;
  }

  private static List<Mutant> parts() {
    return List.of(
        new Mutant(
            "only buckets in use tell again",
            Scenario.WIPED_FIXED,
            "limit",
            writeBack("CachedBucket", "return reports ? charged : 0;", "return 0;")),
        new Mutant(
            "only buckets at rest tell again",
            Scenario.WIPED_FIXED,
            "limit",
            writeBack(
                "debt/BucketLedger",
                "lostCharges.add(Math.min(charged.total(now), burst), charged.until());",
                "")),
        new Mutant(
            "nodes without requests don't hear of it",
            Scenario.WIPED_SLIDING,
            "limit",
            writeBack("WriteBackFlusher", "channels.checkEpochs();", "")),
        new Mutant(
            "a node that has just come doesn't wait",
            Scenario.WIPED_JOINED,
            "limit",
            writeBack(
                "channel/EpochTracker",
                "if (told.wiped() && (other",
                "if (before != null && told.wiped() && (other")),
        new Mutant(
            "what the lost data granted is used",
            Scenario.WIPED_LATE,
            "limit",
            writeBack(
                "ClaimingBucket",
                "if (!batch.isDataCurrent()) { // what it grants",
                "if (batch.sentAt() == Long.MIN_VALUE) { // what it grants")));
  }
}
