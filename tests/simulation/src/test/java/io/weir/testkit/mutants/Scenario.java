package io.weir.testkit.mutants;

import io.weir.annotation.Algorithm;
import io.weir.internal.region.RegionsTrial;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A small simulation in which some mistake shows fast: from a seed to the promises that were
 * broken, each followed by a colon and how.
 *
 * <p>Each world has its own; nothing but the seed goes in, nothing but text comes out.
 */
enum Scenario implements LongFunction<List<String>> {
  /** The arithmetic alone: grants of one bucket, each spent as late as its life allows. */
  SPENT_LATE(SpentLate::run),
  CLEARED(Cleared::run),
  REFILLED(Refilled::arithmetic),
  REFUSED_STRICT(Refilled::told),
  FLICKER_FIXED(seed -> Flicker.run(Algorithm.FIXED_WINDOW, seed)),
  FLICKER_SLIDING(seed -> Flicker.run(Algorithm.SLIDING_WINDOW, seed)),
  FLICKER_LOG(seed -> Flicker.run(Algorithm.SLIDING_LOG, seed)),
  FLICKER_TOKEN(seed -> Flicker.run(Algorithm.TOKEN_BUCKET, seed)),
  HOT(Frugal::hot),
  REFUSED(Frugal::refused),
  SLOW(Frugal::slow),
  SPIKES_FIXED(seed -> Frugal.spikes(Algorithm.FIXED_WINDOW, 0.96, seed)),
  IDLE(Fair::idle),
  REFUSED_THEN_ADMITTED(Fair::refusedThenAdmitted),
  LATE(Late::run),
  AWAY_FIXED(seed -> Away.longer(Algorithm.FIXED_WINDOW, seed)),
  AWAY_SLIDING(seed -> Away.longer(Algorithm.SLIDING_WINDOW, seed)),
  AWAY_SHORTER(Away::shorter),
  ODD(Away::odd),
  SILENT_FIXED(seed -> Away.silent(Algorithm.FIXED_WINDOW, seed)),
  SILENT_SLIDING(seed -> Away.silent(Algorithm.SLIDING_WINDOW, seed)),
  SILENT_LOG(seed -> Away.silent(Algorithm.SLIDING_LOG, seed)),
  SILENT_TOKEN(seed -> Away.silent(Algorithm.TOKEN_BUCKET, seed)),
  HELD_LOG(Held::log),
  HELD_TOKEN(Held::token),
  HELD_STALE(Held::stale),
  FORGETFUL_SLIDING(seed -> Fair.forgetful(Algorithm.SLIDING_WINDOW, seed)),
  FORGETFUL_LOG(seed -> Fair.forgetful(Algorithm.SLIDING_LOG, seed)),
  FORGETFUL_TOKEN(seed -> Fair.forgetful(Algorithm.TOKEN_BUCKET, seed)),
  AHEAD_JOINED(Ahead::joined),
  AHEAD_AGAIN(Ahead::again),
  AHEAD_FLOODED(Ahead::flooded),
  AHEAD_THRONG(Ahead::throng),
  MANY_JOINED(Many::joined),
  MANY_HELD(Many::held),
  CACHE_FLOODED(Cache::flooded),
  RELOADED(Cache::reloaded),
  SIDE_BY_SIDE(Cache::sideBySide),
  VISITED(Cache::visited),
  SELDOM_FIXED(seed -> Seldom.run(Algorithm.FIXED_WINDOW, seed)),
  SELDOM_SLIDING(seed -> Seldom.run(Algorithm.SLIDING_WINDOW, seed)),
  SELDOM_REFUNDED(Seldom::refunded),
  SELDOM_FRUGAL(Seldom::frugal),
  SELDOM_LOWERED(Seldom::lowered),
  WIPED_FIXED(seed -> Wiped.told(Algorithm.FIXED_WINDOW, seed)),
  WIPED_SLIDING(seed -> Wiped.told(Algorithm.SLIDING_WINDOW, seed)),
  WIPED_LOG(seed -> Wiped.told(Algorithm.SLIDING_LOG, seed)),
  WIPED_ONCE_FIXED(seed -> Wiped.once(Algorithm.FIXED_WINDOW, seed)),
  WIPED_ONCE_SLIDING(seed -> Wiped.once(Algorithm.SLIDING_WINDOW, seed)),
  WIPED_JOINED(Wiped::joined),
  WIPED_LATE(Wiped::late),
  WIPED_WAITING(Wiped::waiting),
  FAR_AWAY(FarAway::run),
  REGIONS_CUT_SLIDING(seed -> RegionsTrial.cut(Algorithm.SLIDING_WINDOW, seed)),
  REGIONS_CUT_LEVEL(seed -> RegionsTrial.cut(Algorithm.TOKEN_BUCKET, seed)),
  REGIONS_REFUNDED(seed -> RegionsTrial.refunded(Algorithm.SLIDING_WINDOW, seed)),
  REGIONS_STEADY(RegionsTrial::steady),
  REGIONS_WIPED(RegionsTrial::wiped),
  REGIONS_EDGE(RegionsTrial::edge),
  REGIONS_LOGINS(RegionsTrial::logins),
  REGIONS_MINUTE(RegionsTrial::minute),
  REGIONS_APART_SLIDING(seed -> RegionsTrial.apart(Algorithm.SLIDING_WINDOW, seed)),
  REGIONS_APART_FIXED(seed -> RegionsTrial.apart(Algorithm.FIXED_WINDOW, seed)),
  REGIONS_SET(RegionsTrial::setForward),
  BILLED(Billed::wiped);

  @SuppressWarnings("ImmutableEnumChecker") // nothing but a seed goes in
  private final LongFunction<List<String>> run;

  Scenario(LongFunction<List<String>> run) {
    this.run = run;
  }

  @Override
  public List<String> apply(long seed) {
    return run.apply(seed);
  }
}
