package io.weir.internal.ban;

import io.weir.BanTerms;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.annotation.BanScope;
import io.weir.internal.extension.SafeCalls;
import io.weir.internal.extension.SafePolicySource;
import io.weir.internal.permits.ImmediateStore;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.store.Grant;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the strikes of callers and bans those that have too many.
 *
 * <p><b>How this works.</b> Each strike is counted on this node, and again in the store that the
 * nodes share: there in one batch a second, since attackers must not choose how often the store is
 * asked. Whichever count is full first bans the caller; so nobody is banned for fewer strikes, and
 * a caller gets at most those beyond that its nodes collect within a second. The ban then empties
 * both counts. If the store is away, or the node that would have made the ban dies before, the
 * count on each node is left, and a full count in the store, which the next batch of any node
 * finds.
 *
 * <p>A store in this process isn't asked, since it may count callers together once it is full.
 *
 * <p>Safe for concurrent use.
 */
public final class Bans {
  /** The most callers whose strikes wait for the next batch; others are counted here alone. */
  private static final int MAX_WAITING = 10_000;

  /** The most callers of a batch: the store has the decisions of requests to make meanwhile. */
  private static final int MAX_BATCH = 500;

  private static final SafeCalls CALLS =
      new SafeCalls(
          System.getLogger("io.weir"),
          "the store can't count strikes: until it can, each node counts by itself");

  private final BanList list;
  private final Ticker ticker;
  private final @Nullable PermitStore shared; // null if the store is in this process
  private final BanBuckets buckets;
  private final Optional<SafePolicySource> source;
  private final BanListener listener;
  private final Executor inASecond;
  private final boolean isOff;
  private final BanLog log;

  /** Null until a policy bans callers, which most never do. */
  private volatile @Nullable NodeCounts counts;

  /** In the order in which they came; iterated only under its own monitor. */
  private final Map<BucketId, Waiting> waiting = Collections.synchronizedMap(new LinkedHashMap<>());

  private final AtomicBoolean isScheduled = new AtomicBoolean();

  /** Set once and for all by the first policy that bans from the whole application. */
  private volatile boolean areOfApplication;

  /** Holds what this node alone remembers. */
  private record NodeCounts(LocalBuckets buckets, RetryTimes retries) {}

  /** A caller's strikes that the shared store hasn't counted yet. */
  private record Waiting(WatchedCaller caller, long strikes) {
    Waiting and(Waiting others) {
      return new Waiting(caller, strikes + others.strikes);
    }
  }

  /**
   * Begins without bans.
   *
   * @param source keeps bans for all nodes, if it has an access list of its own
   * @param inASecond runs a task a second later, off threads of requests
   */
  public Bans(
      BanList list,
      Ticker ticker,
      PermitStore store,
      Optional<SafePolicySource> source,
      BanListener listener,
      Executor inASecond) {
    this(
        list,
        ticker,
        store::counts,
        store instanceof ImmediateStore ? null : store,
        source,
        listener,
        inASecond,
        false);
  }

  private Bans(
      BanList list,
      Ticker ticker,
      Predicate<BucketSpec> counts,
      @Nullable PermitStore shared,
      Optional<SafePolicySource> source,
      BanListener listener,
      Executor inASecond,
      boolean isOff) {
    this.list = list;
    this.ticker = ticker;
    this.shared = shared;
    this.buckets = new BanBuckets(counts);
    this.source = source;
    this.listener = listener;
    this.inASecond = inASecond;
    this.isOff = isOff;
    this.log = new BanLog(ticker.nanoTime());
  }

  /** Returns bans that nobody gets, for an application that has ended. */
  public static Bans none() {
    return new Bans(
        new BanList(Ticker.system(), 0),
        Ticker.system(),
        spec -> false,
        null,
        Optional.empty(),
        BanListener.NONE,
        task -> {},
        true);
  }

  /** Returns the bans in force. */
  public BanList list() {
    return list;
  }

  /** Takes note of a policy that bans; logs the first one if bans hold on this node alone. */
  public void use(String policy, BanTerms terms) {
    areOfApplication |= terms.scope() == BanScope.APPLICATION;
    if (!source.map(SafePolicySource::keepsBans).orElse(false)) {
      log.local(policy);
    }
  }

  private NodeCounts counts() {
    NodeCounts known = counts;
    return known == null ? begin() : known;
  }

  private synchronized NodeCounts begin() {
    NodeCounts known = counts;
    if (known == null) {
      known = new NodeCounts(new LocalBuckets(ticker), new RetryTimes(ticker));
      counts = known;
    }
    return known;
  }

  /** Returns whether callers may be banned from the whole application, now or later. */
  public boolean areOfApplication() {
    return areOfApplication || !list.isEmptyForApplication();
  }

  /**
   * Returns the ban of a caller that is in force. Strikes that this node had counted before another
   * one made the ban don't count any more.
   */
  public Optional<AccessEntry> of(WatchedCaller caller) {
    Optional<AccessEntry> ban = find(caller);
    if (ban.isPresent() && isAsStrong(ban.get(), caller)) {
      counts().buckets.forget(buckets.ofStrikes(caller));
    }
    return ban;
  }

  /** Returns whether another ban would change nothing for a caller. */
  private boolean isBanned(WatchedCaller caller) {
    return find(caller).filter(ban -> isAsStrong(ban, caller)).isPresent();
  }

  /** One that was made in shadow mode is none for a policy that has left it. */
  private static boolean isAsStrong(AccessEntry ban, WatchedCaller caller) {
    return caller.isShadow() || !ban.isShadow();
  }

  private Optional<AccessEntry> find(WatchedCaller caller) {
    return caller.isOfApplication()
        ? list.ofApplication(caller.key())
        : list.ofPolicy(caller.policy(), caller.key());
  }

  /**
   * Takes note of a refusal, which is a strike if the caller comes before the time of its last one.
   *
   * @param who distinguishes the callers behind one address
   * @param wait the time that the caller is asked to wait
   */
  public void refused(WatchedCaller caller, Supplier<String> who, Duration wait) {
    if (caller.terms().onRefusals()) {
      String apart = KeyText.hasAddress(caller.key()) ? who.get() : "";
      if (counts().retries.note(caller, apart, wait)) {
        strike(caller);
      }
    }
  }

  /** Takes note of the status of a response of the application, which may be a strike. */
  public void answered(WatchedCaller caller, int status) {
    if (caller.terms().statuses().contains(status)) {
      strike(caller);
    }
  }

  private void strike(WatchedCaller caller) {
    if (isOff) {
      return;
    }
    if (!caller.isIdentified()) {
      if (caller.isAddressShared()) {
        log.shared(ticker.nanoTime());
      }
      return;
    }
    if (isBanned(caller)) {
      return;
    }
    listener.struck(caller.policy());
    BucketId bucket = buckets.ofStrikes(caller);
    Grant counted = counts().buckets.execute(BanBuckets.strikes(bucket, caller, 1));
    if (counted.permits() > 0 && counted.left() == 0) {
      ban(caller, bucket);
    } else if (isShared(bucket)) {
      await(bucket, new Waiting(caller, 1));
    }
  }

  /** Returns whether the nodes count a bucket together. */
  private boolean isShared(BucketId bucket) {
    return shared != null && shared.counts(bucket.spec());
  }

  private void await(BucketId bucket, Waiting strikes) {
    if (waiting.size() < MAX_WAITING || waiting.containsKey(bucket)) {
      waiting.merge(bucket, strikes, Waiting::and);
      schedule();
    }
  }

  private void schedule() {
    if (isScheduled.compareAndSet(false, true)) {
      try {
        inASecond.execute(this::charge);
      } catch (RejectedExecutionException atTheEnd) {
        isScheduled.set(false);
      }
    }
  }

  /** Charges the strikes that wait longest to the shared store, in one batch. */
  void charge() {
    isScheduled.set(false);
    List<Waiting> batch = new ArrayList<>();
    List<Claim> claims = new ArrayList<>();
    synchronized (waiting) {
      Iterator<Map.Entry<BucketId, Waiting>> all = waiting.entrySet().iterator();
      while (all.hasNext() && batch.size() < MAX_BATCH) {
        Map.Entry<BucketId, Waiting> each = all.next();
        Waiting strikes = each.getValue();
        all.remove();
        batch.add(strikes);
        claims.add(BanBuckets.strikes(each.getKey(), strikes.caller, strikes.strikes));
      }
    }
    if (!waiting.isEmpty()) {
      schedule();
    }
    execute(
        claims,
        grants -> {
          for (int i = 0; i < batch.size(); i++) {
            charged(batch.get(i).caller, claims.get(i).bucket(), grants.get(i));
          }
        });
  }

  private void charged(WatchedCaller caller, BucketId strikes, Optional<Grant> grant) {
    if (isBanned(caller)) { // made meanwhile, perhaps by another node
      forget(strikes);
    } else if (grant.isPresent() && grant.get().left() == 0) {
      ban(caller, strikes);
    }
  }

  /** Asks the shared store; does nothing if it can't be asked, since each node counts as well. */
  private void execute(List<Claim> claims, Consumer<List<Optional<Grant>>> next) {
    PermitStore store = shared;
    if (store != null && !claims.isEmpty()) {
      CALLS.run(
          () -> {
            var unused =
                store.execute(claims).thenAccept(grants -> CALLS.run(() -> next.accept(grants)));
          });
    }
  }

  private void ban(WatchedCaller caller, BucketId strikes) {
    counts().buckets.forget(strikes);
    waiting.remove(strikes);
    Optional<BucketId> bans = buckets.ofBans(caller);
    Duration length;
    synchronized (this) {
      if (isBanned(caller)) { // the other count was full at the same moment
        forget(strikes);
        return;
      }
      length = caller.terms().length(bans.map(each -> bansOnNode(each, caller)).orElse(0L));
      if (!put(caller, length)) {
        log.full(ticker.nanoTime());
        return;
      }
      bans.ifPresent(each -> counts().buckets.execute(BanBuckets.ban(each, caller)));
    }
    log.banned(caller.isShadow(), ticker.nanoTime());
    listener.banned(caller.policy(), caller.isShadow());
    forget(strikes);
    bans.filter(this::isShared).ifPresent(each -> count(each, caller, length));
  }

  private long bansOnNode(BucketId bucket, WatchedCaller caller) {
    return BanBuckets.bans(caller, counts().buckets.execute(BanBuckets.askBans(bucket, caller)));
  }

  /**
   * Counts a ban over all nodes, unless another one has just made its own for the same strikes.
   * Makes it longer if there were others before.
   */
  private void count(BucketId bans, WatchedCaller caller, Duration known) {
    execute(
        List.of(buckets.recentBan(caller), BanBuckets.askBans(bans, caller)),
        grants -> {
          boolean isAnother = grants.get(0).filter(each -> each.permits() > 0).isPresent();
          if (isAnother) {
            execute(List.of(BanBuckets.ban(bans, caller)), counted -> {});
          }
          int own = isAnother ? 0 : 1; // that of the other node
          grants
              .get(1)
              .map(each -> Math.max(0, BanBuckets.bans(caller, each) - own))
              .ifPresent(before -> lengthen(caller, caller.terms().length(before), known));
        });
  }

  private void lengthen(WatchedCaller caller, Duration length, Duration known) {
    if (length.compareTo(known) > 0 && isBanned(caller)) {
      boolean unused = put(caller, length);
    }
  }

  /** Puts a ban into effect; returns false if there is no room for it. */
  private boolean put(WatchedCaller caller, Duration length) {
    Instant end = ticker.instant().plus(length).plusNanos(999_999_999);
    AccessEntry enforced =
        AccessEntry.ban(caller.subject(), end.truncatedTo(ChronoUnit.SECONDS))
            .withReason(caller.reason());
    AccessEntry ban = caller.isShadow() ? enforced.inShadow() : enforced;
    if (!list.add(ban)) {
      return false;
    }
    source.ifPresent(each -> each.ban(ban, caller.policy()));
    return true;
  }

  /** Empties a count in the shared store, which it leaves by itself if that can't be asked. */
  private void forget(BucketId strikes) {
    PermitStore store = shared;
    if (store != null) {
      CALLS.run(() -> store.forget(strikes));
    }
  }

  /** Lifts a ban on all nodes; returns false if none is in force here. */
  public boolean lift(AccessSubject subject) {
    boolean isLifted = list.lift(subject);
    if (isLifted) {
      source.ifPresent(each -> each.lift(subject));
    }
    return isLifted;
  }
}
