package io.weir.internal.rules.quotas;

import io.weir.Decision;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.UsageListener;
import io.weir.internal.rules.usage.UsagePart;
import io.weir.internal.writeback.channel.Batch;
import io.weir.store.CalendarWindow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
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
 * What finished requests took of their callers' quotas: collected in memory, added to {@code
 * quota_periods} with each write of usage, which reads the sums of all nodes back.
 *
 * <p>It says too little rather than too much: what was decided without the store isn't in it, since
 * the node still owes that; nor is what a write may or may not have written.
 *
 * <p>Safe for concurrent use.
 */
public final class QuotaLedger implements UsageListener, UsagePart {
  /** What policies of quotas are called, whatever the rule's name. */
  public static final String POLICY = "quota";

  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final int MOST = 100_000;
  private static final int CHUNK = 500;
  private static final long KEPT_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Map<Place, Entry> entries = new ConcurrentHashMap<>();
  private final BooleanSupplier isMissing;
  private final AtomicBoolean toldFull = new AtomicBoolean();

  /** One period of one user. */
  private record Place(String userId, long begin) {
    static final Comparator<Place> ORDER =
        Comparator.comparing(Place::userId).thenComparingLong(Place::begin);
  }

  /** What is known of it; replaced whole. */
  private record Entry(BillingPeriod period, long sum, long writing, long unwritten, long at) {
    Entry with(long more) {
      return new Entry(period, sum, writing, unwritten + more, System.nanoTime());
    }

    Entry taken() {
      return new Entry(period, sum, unwritten, 0, at);
    }

    Entry written(long sumOfAll) {
      return new Entry(period, Math.max(sum, sumOfAll), 0, unwritten, at);
    }

    /** The node knows of it all the same. */
    Entry lost() {
      return new Entry(period, sum + writing, 0, unwritten, at);
    }

    Entry kept() {
      return new Entry(period, sum, 0, writing + unwritten, at);
    }
  }

  /**
   * Knows nothing yet.
   *
   * @param accounts say whether the database has a ledger at all
   */
  public QuotaLedger(QuotaAccounts accounts) {
    this.isMissing = accounts::isWithoutLedger;
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

  /**
   * Adds what one decision took, if it was of a quota.
   *
   * @param userId whose
   * @param decision of one policy
   */
  void add(String userId, Decision decision) {
    if (!isOfQuota(decision)) {
      return;
    }
    long permits = decision.permits();
    CalendarWindow window = decision.policy().spec().calendar().orElseThrow();
    BillingPeriod period = new BillingPeriod(window.begin(0), window.end(0));
    Place place = new Place(userId, period.begin());
    if (entries.size() >= MOST && !entries.containsKey(place)) {
      if (toldFull.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "the ledger of quotas has more callers than 100,000 between two writes: it says too"
                + " little of further ones");
      }
      return;
    }
    entries.merge(
        place,
        new Entry(period, 0, 0, permits, System.nanoTime()),
        (known, fresh) -> known.with(permits));
  }

  /**
   * How many permits a user is known to have used.
   *
   * @param userId whose
   * @param period in which period
   * @return what all nodes have written and this one is yet to write; 0 if nothing is known
   */
  public long known(String userId, BillingPeriod period) {
    Entry entry = entries.get(new Place(userId, period.begin()));
    return entry == null ? 0 : entry.sum + entry.writing + entry.unwritten;
  }

  @Override
  public Optional<Batch> drain(int most) {
    long now = System.nanoTime();
    if (isMissing.getAsBoolean()) {
      entries.clear();
      return Optional.empty();
    }
    boolean isCrowded = entries.size() > MOST / 2; // who has nothing to write makes place
    SortedMap<Place, Entry> taken = new TreeMap<>(Place.ORDER);
    for (Place place : entries.keySet()) {
      if (taken.size() >= most) {
        break;
      }
      Entry entry =
          entries.computeIfPresent(
              place, (any, known) -> drained(known, isCrowded ? 0 : KEPT_NANOS, now));
      if (entry != null && entry.writing > 0) {
        taken.put(place, entry);
      }
    }
    return taken.isEmpty()
        ? Optional.empty()
        : Optional.of(new Written(taken, taken.size() >= most));
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

  /** What one transaction writes. */
  private final class Written implements Batch {
    private final SortedMap<Place, Entry> all;
    private final boolean more;
    private final Map<Place, Long> sums = new TreeMap<>(Place.ORDER);

    Written(SortedMap<Place, Entry> all, boolean more) {
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
          (place, entry) ->
              additions.add(
                  new PeriodTable.Addition(
                      place.userId,
                      entry.period,
                      OptionalLong.empty(),
                      OptionalLong.empty(),
                      entry.writing)));
      PeriodTable.add(connection, dialect, additions);
      List<String> users = all.keySet().stream().map(Place::userId).distinct().toList();
      for (int from = 0; from < users.size(); from += CHUNK) {
        List<String> chunk = users.subList(from, Math.min(users.size(), from + CHUNK));
        PeriodTable.latest(connection, chunk)
            .forEach(
                (userId, rows) ->
                    rows.forEach(
                        row -> sums.put(new Place(userId, row.period().begin()), row.used())));
      }
    }

    @Override
    public void written() {
      for (Place place : all.keySet()) {
        entries.computeIfPresent(
            place, (any, known) -> known.written(sums.getOrDefault(place, known.sum)));
      }
    }

    @Override
    public void failed(boolean isLost) {
      for (Place place : all.keySet()) {
        entries.computeIfPresent(place, (any, known) -> isLost ? known.lost() : known.kept());
      }
    }
  }
}
