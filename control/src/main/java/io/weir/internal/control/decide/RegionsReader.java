package io.weir.internal.control.decide;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.RegionsAnswer.Counting;
import io.weir.internal.control.decide.RegionsAnswer.RegionAnswer;
import io.weir.internal.control.decide.RegionsAnswer.SumAnswer;
import io.weir.internal.region.RegionCount;
import io.weir.internal.region.RegionCounts;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Reads what each region has counted of buckets. Takes no permits. Asks all regions at once, and
 * waits at most for the time-out of the slowest store; a region that hasn't answered by then is
 * listed with the reason.
 *
 * <p>Safe for concurrent use.
 */
public final class RegionsReader {
  private final Function<List<Decision>, Map<Decision, RegionCounts>> regions;
  private final CheckAnswerFactory answers;

  private RegionsReader(
      Function<List<Decision>, Map<Decision, RegionCounts>> regions, Ticker ticker) {
    this.regions = regions;
    this.answers = new CheckAnswerFactory(ticker);
  }

  public static RegionsReader of(WeirRuntime weir) {
    return new RegionsReader(weir::askRegions, weir.ticker());
  }

  /**
   * Reads the counts of the buckets of some decisions.
   *
   * @param parts decisions of one policy each
   * @return the answers, by the decision itself; empty without regions
   */
  public Map<Decision, RegionsAnswer> of(Collection<Decision> parts) {
    Map<Decision, RegionsAnswer> all = new HashMap<>(); // each is equal to itself alone
    regions.apply(List.copyOf(parts)).forEach((part, counts) -> all.put(part, answer(counts)));
    return all;
  }

  private RegionsAnswer answer(RegionCounts counts) {
    Counting counting = Counting.valueOf(counts.counting().name());
    boolean isWhole = counts.counts().stream().allMatch(each -> each.answer().isPresent());
    return new RegionsAnswer(
        counting,
        counting == Counting.SHARES && isWhole ? sum(counts.counts()) : null,
        counts.counts().stream().map(this::answer).toList());
  }

  private static SumAnswer sum(List<RegionCount> counts) {
    long limit = 0;
    long used = 0;
    long remaining = 0;
    for (RegionCount each : counts) {
      RegionCount.Answer answer = each.answer().orElseThrow();
      limit += each.limit();
      used += answer.used();
      remaining += answer.remaining();
    }
    return new SumAnswer(limit, used, remaining);
  }

  private RegionAnswer answer(RegionCount count) {
    Duration resetAfter = count.answer().map(RegionCount.Answer::resetAfter).orElse(Duration.ZERO);
    return new RegionAnswer(
        count.region(),
        count.isOwn(),
        count.limit(),
        count.answer().map(RegionCount.Answer::used).orElse(null),
        count.answer().map(RegionCount.Answer::remaining).orElse(null),
        count.answer().isPresent() ? answers.resetTime(resetAfter) : null,
        count.silence().orElse(null));
  }
}
