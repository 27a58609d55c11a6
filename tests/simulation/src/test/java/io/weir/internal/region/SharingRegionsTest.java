package io.weir.internal.region;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RegionStatus;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.simulation.ForwardingStore;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import io.weir.test.log.LogLines;
import io.weir.testkit.store.SimulatedStore;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Regions that have shares, of which each can be looked at from the others. */
class SharingRegionsTest {
  private static final String SECRET = "a secret of all regions";
  private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T00:01:00Z"));
  private final Marked eu = new Marked();
  private final Marked us = new Marked();

  /** A store whose mark tests see, lose and forbid. */
  private final class Marked extends ForwardingStore {
    final List<Optional<String>> asked = new ArrayList<>();
    Optional<String> kept = Optional.empty();
    Optional<CompletionStage<Optional<String>>> instead = Optional.empty();
    boolean isThrowing;
    boolean isClosed;

    Marked() {
      super(new SimulatedStore(time::now));
    }

    @Override
    public CompletionStage<Optional<String>> mark(Optional<String> own) {
      asked.add(own);
      if (isThrowing) {
        throw new UnsupportedOperationException("no marks");
      }
      kept = kept.isPresent() ? kept : own;
      return instead.orElseGet(() -> CompletableFuture.completedStage(kept));
    }

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private static String mark(String region) {
    return OwnMark.of(region, SECRET);
  }

  private SharingRegions regions(PermitStore own, LeasingStore... others) {
    return new SharingRegions(
        new RegionSettings(
            "eu",
            RegionMode.SHARES,
            Duration.ofSeconds(1),
            Map.of("ap", 20, "eu", 50, "us", 30),
            Map.of()),
        own,
        List.of(others).stream()
            .map(each -> new Regions.Other("us", each, Duration.ofSeconds(1)))
            .toList(),
        SECRET,
        new VirtualScheduler(time));
  }

  private static List<String> said(SharingRegions regions) {
    return regions.status().stream().map(each -> each.name() + " " + each.describe()).toList();
  }

  @Test
  void theOwnStoreGetsItsMarkAndTheOtherIsConnectedToBeforeAnybodyLooks() {
    SharingRegions regions = regions(eu, us);
    assertEquals(List.of(), eu.asked);
    regions.start();
    time.run(Duration.ZERO);
    assertEquals(Optional.of(mark("eu")), eu.kept);
    assertEquals(List.of(Optional.empty()), us.asked);
    assertEquals(Optional.empty(), us.kept);
    assertEquals(
        List.of(
            "eu counts 50 % of each limit",
            "ap counts 20 % of each limit", "us counts 30 % of each limit"),
        said(regions));
    time.run(TEN_SECONDS);
    assertEquals(2, us.asked.size(), "so that no firewall closes a connection that rests");
  }

  @Test
  void aStoreThatHasLostItsDataGetsItsMarkAgain() {
    regions(eu).start();
    time.run(Duration.ZERO);
    eu.kept = Optional.empty();
    time.run(TEN_SECONDS);
    assertEquals(Optional.of(mark("eu")), eu.kept);
  }

  @Test
  void aMarkOfAnotherSecretIsNamedOnceUntilItIsDeleted() {
    eu.kept = Optional.of("region eu, secret 0a1b");
    SharingRegions regions = regions(eu, us);
    try (LogLines log = new LogLines()) {
      regions.start();
      time.run(Duration.ofMinutes(1));
      String what = "its store is that of 'region eu, secret 0a1b', not of '" + mark("eu") + "'";
      assertEquals(
          List.of(
              "Other regions can't look at what callers use here, since this node says it is in"
                  + " region eu, but "
                  + what
                  + ". Give each region a name and a store of its own, and all the same"
                  + " weir.secret"),
          log.warnings());
      RegionStatus own = regions.status().get(0);
      assertEquals(Optional.of(what), own.trouble());
      assertTrue(own.isCutOff());
      assertEquals(50, own.share().orElseThrow());
    }
    eu.kept = Optional.empty();
    time.run(TEN_SECONDS);
    assertEquals(Optional.of(mark("eu")), eu.kept);
    assertFalse(regions.status().get(0).isCutOff());
    assertEquals("eu counts 50 % of each limit", said(regions).get(0));
  }

  @Test
  void aStoreThatCannotKeepAMarkStopsNothing() {
    try (LogLines log = new LogLines()) {
      for (boolean isThrowing : List.of(true, false)) {
        eu.isThrowing = isThrowing;
        eu.instead = Optional.of(CompletableFuture.failedStage(new IllegalStateException("away")));
        us.isThrowing = isThrowing;
        us.instead = eu.instead;
        us.asked.clear();
        SharingRegions regions = regions(eu, us);
        regions.start();
        time.run(TEN_SECONDS);
        assertEquals(2, us.asked.size());
        assertEquals("eu counts 50 % of each limit", said(regions).get(0));
        regions.close();
      }
      assertEquals(List.of(), log.warnings());
      assertEquals(List.of(), log.errors());
    }
  }

  @Test
  void aStoreOfOneProcessHasNoMarkAndWithoutAddressesNobodyIsAsked() {
    SharingRegions regions = regions(new InProcessStore(new VirtualClock(time, 0, 0, 0), 1_000));
    regions.start();
    time.run(TEN_SECONDS);
    assertEquals(0, time.happened());
    assertEquals("eu counts 50 % of each limit", said(regions).get(0));
    regions.close();
  }

  @Test
  void nobodyIsAskedAfterTheEnd() {
    SharingRegions regions = regions(eu, us);
    regions.start();
    time.run(Duration.ZERO);
    regions.close();
    regions.close();
    time.run(TEN_SECONDS);
    assertEquals(1, eu.asked.size());
    assertTrue(us.isClosed);
    assertFalse(eu.isClosed, "the limiter closes it");
  }
}
