package io.weir.internal.rules.quotas;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.UsageBuffer;
import io.weir.internal.rules.usage.UsageListener;
import io.weir.store.CalendarWindow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Collects the permits that finished requests took of their callers' quotas, adds them to {@code
 * quota_periods} with each write of usage, and reads the sums of all nodes back.
 *
 * <p>The ledger is too low rather than too high: permits taken without the store aren't in it,
 * since the node still owes them, nor are those of a write whose result is unknown.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaLedger implements UsageListener, UsageBuffer {
  /** The name of all policies of quotas. */
  public static final String POLICY = "quota";

  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MAX_PERIODS = 100_000;
  private static final int USERS_PER_STATEMENT = 500;
  private static final long KEPT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Map<PeriodKey, Entry> entries = new ConcurrentHashMap<>();
  private final BooleanSupplier isMissing;
  private final Ticker ticker;
  private final AtomicBoolean isOverflowLogged = new AtomicBoolean();

  /**
   * The periods that the current write has yet to look at. It looks at each once: requests go on
   * meanwhile, and those of the first periods would keep it from the last ones. Writer's thread
   * only.
   */
  private Iterator<PeriodKey> round = Collections.emptyIterator();

  private record PeriodKey(String userId, long begin) {
    static final Comparator<PeriodKey> ORDER =
        Comparator.comparing(PeriodKey::userId).thenComparingLong(PeriodKey::begin);
  }

  private record Entry(BillingPeriod period, long sum, long writing, long unwritten, long at) {
    Entry plus(long more, long now) {
      return new Entry(period, sum, writing, unwritten + more, now);
    }

    Entry taken() {
      return new Entry(period, sum, unwritten, 0, at);
    }

    Entry written(long sumOfAll) {
      return new Entry(period, Math.max(sum, sumOfAll), 0, unwritten, at);
    }

    /** The rows may not be written, but the node knows of them. */
    Entry lost() {
      return new Entry(period, sum + writing, 0, unwritten, at);
    }

    Entry kept() {
      return new Entry(period, sum, 0, writing + unwritten, at);
    }
  }

  public QuotaLedger(QuotaAccountReader accounts, Ticker ticker) {
    this(accounts::isWithoutLedger, ticker);
  }

  /** Creates an empty ledger for a database that may have no table for it. */
  QuotaLedger(BooleanSupplier isMissing, Ticker ticker) {
    this.isMissing = isMissing;
    this.ticker = ticker;
  }

  @Override
  public void finished(FinishedRequest request) {
    if (!request.isKnown()) {
      return;
    }
    List<Decision> parts = request.decision().parts();
    for (int i = 0; i < parts.size(); i++) {
      add(request.userId(), parts.get(i));
    }
  }

  @Override
  public boolean wants(Decision decision) {
    List<Decision> parts = decision.parts();
    for (int i = 0; i < parts.size(); i++) {
      if (isOfQuota(parts.get(i))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isOfQuota(Decision decision) {
    return decision.permits() > 0
        && decision.policy().spec().isOfPeriod()
        && decision.policy().name().equals(POLICY)
        && !decision.refunded()
        && !decision.degraded();
  }

  /** Adds the permits of a decision, if it is one for a quota. */
  void add(String userId, Decision decision) {
    if (!isOfQuota(decision)) {
      return;
    }
    long permits = decision.permits();
    CalendarWindow window = decision.policy().spec().calendar().orElseThrow();
    BillingPeriod period = new BillingPeriod(window.begin(0), window.end(0));
    PeriodKey key = new PeriodKey(userId, period.begin());
    if (entries.size() >= MAX_PERIODS && !entries.containsKey(key)) {
      if (isOverflowLogged.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "rules: more than 100,000 quotas are used between two writes: the ledger lacks further"
                + " ones (logged once)");
      }
      return;
    }
    long now = ticker.nanoTime();
    entries.merge(
        key, new Entry(period, 0, 0, permits, now), (known, fresh) -> known.plus(permits, now));
  }

  /** Returns the permits that all nodes have written and this one is yet to write; 0 if unknown. */
  public long known(String userId, BillingPeriod period) {
    Entry entry = entries.get(new PeriodKey(userId, period.begin()));
    return entry == null ? 0 : entry.sum + entry.writing + entry.unwritten;
  }

  /** Has the next write look at all periods. */
  @Override
  public void gather() {
    round = Collections.emptyIterator();
  }

  @Override
  public Optional<RowBatch> drain(int most) {
    long now = ticker.nanoTime();
    if (isMissing.getAsBoolean()) {
      entries.clear();
      return Optional.empty();
    }
    boolean isCrowded = entries.size() > MAX_PERIODS / 2; // then drop what is written
    SortedMap<PeriodKey, Entry> taken = new TreeMap<>(PeriodKey.ORDER);
    if (!round.hasNext()) {
      round = entries.keySet().iterator();
    }
    while (taken.size() < most && round.hasNext()) {
      PeriodKey key = round.next();
      Entry entry =
          entries.computeIfPresent(
              key, (any, known) -> drained(known, isCrowded ? 0 : KEPT_NANOS, now));
      if (entry != null && entry.writing > 0) {
        taken.put(key, entry);
      }
    }
    return taken.isEmpty() ? Optional.empty() : Optional.of(new Written(taken, round.hasNext()));
  }

  private static @Nullable Entry drained(Entry known, long keptNanos, long now) {
    if (known.unwritten > 0) {
      return known.taken();
    }
    return known.writing == 0 && now - known.at > keptNanos ? null : known;
  }

  @Override
  public void forget(Predicate<String> isForgotten) {
    entries.keySet().removeIf(each -> isForgotten.test(each.userId));
  }

  private final class Written implements RowBatch {
    private final SortedMap<PeriodKey, Entry> all;
    private final boolean more;
    private final Map<PeriodKey, Long> sums = new TreeMap<>(PeriodKey.ORDER);

    Written(SortedMap<PeriodKey, Entry> all, boolean more) {
      this.all = all;
      this.more = more;
    }

    @Override
    public boolean isMore() {
      return more;
    }

    @Override
    public void write(Connection connection, Dialect dialect) throws SQLException {
      List<PeriodTable.Addition> additions = new ArrayList<>(all.size());
      all.forEach(
          (key, entry) ->
              additions.add(
                  new PeriodTable.Addition(
                      key.userId,
                      entry.period,
                      OptionalLong.empty(),
                      OptionalLong.empty(),
                      entry.writing)));
      PeriodTable.add(connection, dialect, additions);
      List<String> users = all.keySet().stream().map(PeriodKey::userId).distinct().toList();
      for (int from = 0; from < users.size(); from += USERS_PER_STATEMENT) {
        List<String> chunk =
            users.subList(from, Math.min(users.size(), from + USERS_PER_STATEMENT));
        PeriodTable.latest(connection, chunk, any -> {})
            .forEach(
                (userId, rows) ->
                    rows.forEach(
                        row -> sums.put(new PeriodKey(userId, row.period().begin()), row.used())));
      }
    }

    @Override
    public void committed() {
      for (PeriodKey key : all.keySet()) {
        entries.computeIfPresent(
            key, (any, known) -> known.written(sums.getOrDefault(key, known.sum)));
      }
    }

    @Override
    public void failed(boolean isLost) {
      if (!isLost) {
        gather(); // if this write goes on, it has to find them
      }
      for (PeriodKey key : all.keySet()) {
        entries.computeIfPresent(key, (any, known) -> isLost ? known.lost() : known.kept());
      }
    }
  }
}
