package io.weir.internal.region;

import io.weir.Ticker;
import io.weir.internal.permits.RequestTerms;
import io.weir.internal.value.DurationText;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.LeasingStore;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Peeks at buckets in the stores of all regions at once, for people who look into limits. Takes
 * nothing there and leaves nothing behind: no permit, no heartbeat and no mark.
 *
 * <p>The mark of another region's store is read first, by which nothing is made there even if the
 * region has never started. A store whose mark is another one counts under other names, so it isn't
 * asked.
 *
 * <p>Safe for concurrent use.
 */
public final class RegionPeeks {
  private final RegionMode mode;
  private final Ticker ticker;
  private final List<Region> regions = new ArrayList<>();

  /**
   * A bucket to peek at.
   *
   * @param terms the terms of a request for it in a region that divides limits in a way
   */
  public record Question(BucketId bucket, Function<RegionShares, RequestTerms> terms) {}

  /** Replies of a store: its grants, or why there are none. */
  private record Reply(List<Optional<Grant>> grants, Optional<String> silence) {
    static Reply silent(String why) {
      return new Reply(List.of(), Optional.of(why));
    }
  }

  /**
   * Asks nobody yet.
   *
   * @param own the own region's store; not closed with this
   * @param ownTimeout how long to wait for its answers
   * @param others the other regions whose stores are known here; closed by the caller
   * @param secret the value of {@code weir.secret}, which all regions share
   */
  public RegionPeeks(
      RegionSettings settings,
      PermitStore own,
      Duration ownTimeout,
      List<Regions.Other> others,
      String secret,
      Ticker ticker) {
    this.mode = settings.mode();
    this.ticker = ticker;
    add(settings, settings.own(), own, ownTimeout, Optional.empty());
    for (String name : settings.names()) {
      if (!name.equals(settings.own())) {
        Optional<Regions.Other> known =
            others.stream().filter(each -> each.name().equals(name)).findFirst();
        add(
            settings,
            name,
            known.map(Regions.Other::store).orElse(null),
            known.map(Regions.Other::timeout).orElse(ownTimeout),
            Optional.of(OwnMark.of(name, secret)));
      }
    }
  }

  private void add(
      RegionSettings settings,
      String name,
      @Nullable PermitStore store,
      Duration timeout,
      Optional<String> mark) {
    RegionShares shares =
        mode == RegionMode.SHARES ? RegionShares.of(name, settings.shares()) : RegionShares.NONE;
    regions.add(new Region(name, regions.isEmpty(), store, timeout, mark, shares));
  }

  /**
   * Asks all regions, each in one call, and waits for their answers: at most until the time-out of
   * the slowest store has passed.
   *
   * @return the counts of each bucket, in order
   */
  public List<RegionCounts> ask(List<Question> questions) {
    long began = ticker.nanoTime();
    List<Asked> asked = regions.stream().map(each -> each.ask(questions)).toList();
    List<List<RegionCount>> ofRegions = asked.stream().map(each -> each.counts(began)).toList();
    List<RegionCounts> counts = new ArrayList<>(questions.size());
    for (int at = 0; at < questions.size(); at++) {
      int number = at;
      counts.add(
          new RegionCounts(
              counting(questions.get(at).bucket().spec()),
              ofRegions.stream().map(each -> each.get(number)).toList()));
    }
    return counts;
  }

  private RegionCounts.Counting counting(BucketSpec spec) {
    if (spec.isOfRegion() || spec.isOfPeriod()) {
      return RegionCounts.Counting.REGION;
    }
    return mode == RegionMode.SHARES
        ? RegionCounts.Counting.SHARES
        : RegionCounts.Counting.EVENTUAL;
  }

  /** A region that was asked. */
  private record Asked(
      Region region,
      List<Question> questions,
      List<RequestTerms> terms,
      CompletableFuture<Reply> reply) {
    /** Waits for the answer until the region's time-out has passed. */
    List<RegionCount> counts(long began) {
      return region.counts(questions, terms, await(began));
    }

    private Reply await(long began) {
      long left = region.timeout.toNanos() - (region.nanoTime() - began);
      try {
        return reply.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (TimeoutException late) {
        return Reply.silent("no answer within " + DurationText.inWords(region.timeout));
      } catch (InterruptedException asked) {
        Thread.currentThread().interrupt();
        return Reply.silent("the look was interrupted");
      } catch (ExecutionException broken) {
        return Reply.silent(String.valueOf(broken.getCause()));
      }
    }
  }

  private final class Region {
    private final String name;
    private final boolean isOwn;
    private final @Nullable PermitStore store;
    private final Duration timeout;
    private final Optional<String> mark;
    private final RegionShares shares;

    Region(
        String name,
        boolean isOwn,
        @Nullable PermitStore store,
        Duration timeout,
        Optional<String> mark,
        RegionShares shares) {
      this.name = name;
      this.isOwn = isOwn;
      this.store = store;
      this.timeout = timeout;
      this.mark = mark;
      this.shares = shares;
    }

    Asked ask(List<Question> questions) {
      List<RequestTerms> terms =
          questions.stream().map(each -> each.terms().apply(shares)).toList();
      String setting = isOwn ? "weir.store" : RegionSettingsReader.store(name);
      CompletionStage<Reply> reply =
          store == null
              ? CompletableFuture.completedStage(Reply.silent(setting + " isn't set here"))
              : ask(store, claims(questions, terms))
                  .exceptionally(failure -> Reply.silent(RegionReporter.text(failure, setting)));
      return new Asked(this, questions, terms, reply.toCompletableFuture());
    }

    /** Makes two claims for each bucket: what is left by its limit, and what is used. */
    private List<Claim> claims(List<Question> questions, List<RequestTerms> terms) {
      List<Claim> claims = new ArrayList<>(2 * questions.size());
      for (int at = 0; at < questions.size(); at++) {
        BucketId bucket = questions.get(at).bucket();
        RequestTerms its = terms.get(at);
        claims.add(Claim.peek(bucket, 1, its.effectiveLimit(), its.burst()));
        claims.add(
            isLevel(bucket) // whose rate the limit is
                ? claims.get(claims.size() - 1)
                : Claim.peek(bucket, 1, StorePeek.MAX_COUNT, StorePeek.MAX_COUNT));
      }
      return claims;
    }

    private long nanoTime() {
      return ticker.nanoTime();
    }

    private CompletionStage<Reply> ask(PermitStore its, List<Claim> claims) {
      try {
        return mark.isPresent() && its instanceof LeasingStore leasing
            ? leasing
                .mark(Optional.empty())
                .thenCompose(
                    found ->
                        wrong(found.orElse(""))
                            .map(why -> CompletableFuture.completedStage(Reply.silent(why)))
                            .orElseGet(() -> read(its, claims)))
            : read(its, claims);
      } catch (RuntimeException | LinkageError broken) {
        return CompletableFuture.failedStage(broken);
      }
    }

    private CompletionStage<Reply> read(PermitStore its, List<Claim> claims) {
      return StorePeek.ask(its, claims, ticker.epochMicros())
          .thenApply(all -> new Reply(all, Optional.empty()));
    }

    private Optional<String> wrong(String found) {
      return mark.filter(wanted -> !wanted.equals(found))
          .map(wanted -> RegionReporter.otherStore(found, wanted));
    }

    private List<RegionCount> counts(
        List<Question> questions, List<RequestTerms> terms, Reply reply) {
      List<RegionCount> counts = new ArrayList<>(questions.size());
      for (int at = 0; at < questions.size(); at++) {
        counts.add(count(questions.get(at).bucket(), terms.get(at), reply, 2 * at));
      }
      return counts;
    }

    private RegionCount count(BucketId bucket, RequestTerms its, Reply reply, int first) {
      Optional<RegionCount.Answer> answer =
          reply.silence().isPresent()
              ? Optional.empty()
              : reply
                  .grants()
                  .get(first)
                  .flatMap(
                      left ->
                          reply.grants().get(first + 1).map(all -> answer(bucket, its, left, all)));
      Optional<String> silence =
          answer.isPresent()
              ? Optional.empty()
              : reply.silence().or(() -> Optional.of("no answer for this bucket"));
      return new RegionCount(name, isOwn, its.limit(), answer, silence);
    }

    private RegionCount.Answer answer(BucketId bucket, RequestTerms its, Grant left, Grant all) {
      long most = isLevel(bucket) ? its.burst() : StorePeek.MAX_COUNT;
      boolean hasPart = its.part() == null || !its.part().isNothing();
      return new RegionCount.Answer(
          Math.max(0, most - all.left()),
          hasPart ? its.remaining(left.left()) : 0,
          Duration.ofNanos(its.reset(left.left(), left.reset()) * 1_000));
    }

    private static boolean isLevel(BucketId bucket) {
      return BucketSpec.hasBurst(bucket.spec().algorithm());
    }
  }
}
