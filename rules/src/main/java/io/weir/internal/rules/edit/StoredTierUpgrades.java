package io.weir.internal.rules.edit;

import io.weir.Ticker;
import io.weir.internal.rules.database.AuthorName;
import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.OwnLimits;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.TierComparison;
import io.weir.internal.rules.rulebook.column.TierUpgradeColumns;
import io.weir.internal.rules.rulebook.column.UserColumns;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.TierOffer;
import io.weir.rules.tier.TierUpgrade;
import io.weir.rules.tier.TierUpgradeRepository;
import io.weir.rules.tier.UpgradeStatus;
import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.rules.tier.UserTierRepository;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The rows of {@code tier_upgrade_requests}. A column that is unique while a request is pending
 * lets a user have one, however many ask at once.
 */
public final class StoredTierUpgrades implements TierUpgradeRepository {
  private static final RuleTable TABLE = RuleTable.UPGRADES;
  private static final Sql PENDING =
      Sql.of("SELECT COUNT(*) FROM weir.tier_upgrade_requests WHERE pending_of IS NOT NULL");
  private static final int MAX_LOWERED_LIMITS = 10;

  private final RuleDatabase database;
  private final VersionedRowEditor rows;
  private final UserTierRepository users;
  private final Supplier<Rulebook> book;
  private final Supplier<String> defaultTier;
  private final Ticker ticker;

  /** The current tier of a user, by its row. */
  private record Now(String tier, Optional<UserTier> row, OwnLimits own) {}

  /**
   * Opens the requests.
   *
   * @param defaultTier the tier of users without a row
   */
  public StoredTierUpgrades(
      RuleDatabase database,
      VersionedRowEditor rows,
      UserTierRepository users,
      Supplier<Rulebook> book,
      Supplier<String> defaultTier,
      Ticker ticker) {
    this.database = database;
    this.rows = rows;
    this.users = users;
    this.book = book;
    this.defaultTier = defaultTier;
    this.ticker = ticker;
  }

  @Override
  public TierUpgrade request(String userId, String tier, String reason) {
    Now now = now(userId);
    if (!comparison(now).isKnown(tier) && !tier.equals(defaultTier.get())) {
      throw wrong("requested_tier", "there is no tier '" + tier + "'");
    }
    if (tier.equals(now.tier)) {
      throw wrong("requested_tier", "the user already has the tier " + tier);
    }
    Map<String, String> columns = TierUpgradeColumns.request(userId, now.tier, tier, reason);
    try {
      return TierUpgradeColumns.read(rows.insert(TABLE, columns, AuthorName.of(userId)));
    } catch (ConflictException pending) {
      throw new ConflictException("a request of this user is pending");
    }
  }

  private Now now(String userId) {
    Instant moment = ticker.instant();
    Optional<UserTier> row = users.find(userId);
    Optional<UserTier> inForce =
        row.filter(each -> each.validUntil().map(end -> end.isAfter(moment)).orElse(true))
            .or(() -> users.findForeign(userId));
    return new Now(
        inForce.map(UserTier::tier).orElseGet(defaultTier),
        row,
        inForce.map(each -> OwnLimits.of(each.ownLimits())).orElse(OwnLimits.NONE));
  }

  private TierComparison comparison(Now now) {
    return new TierComparison(book.get(), now.own, ticker.epochMicros());
  }

  private static InvalidRuleException wrong(String field, String message) {
    return new InvalidRuleException(
        List.of(new RuleProblem(TABLE.tableName(), "a request", field, message, false)));
  }

  @Override
  public List<String> lowered(String userId, String tier) {
    Now now = now(userId);
    return comparison(now).lowered(now.tier, tier);
  }

  @Override
  public List<TierOffer> offers(String userId) {
    Now now = now(userId);
    TierComparison comparison = comparison(now);
    Set<String> tiers = new TreeSet<>(comparison.tiers());
    tiers.add(defaultTier.get());
    tiers.remove(now.tier);
    List<TierOffer> offers = new ArrayList<>();
    offers.add(new TierOffer(now.tier, true, comparison.limits(now.tier)));
    for (String each : tiers) {
      if (comparison.lowered(now.tier, each).isEmpty()) {
        offers.add(new TierOffer(each, false, comparison.limits(each)));
      }
    }
    return List.copyOf(offers);
  }

  @Override
  public TierUpgrade approve(long id, String answer, String author) {
    StoredRow seen = pending(id);
    TierUpgrade wanted = TierUpgradeColumns.read(seen);
    Now now = now(wanted.userId());
    List<String> lowered = comparison(now).lowered(now.tier, wanted.requestedTier());
    if (!lowered.isEmpty()) {
      throw wrong(
          "requested_tier",
          wanted.requestedTier()
              + " would lower limits of "
              + now.tier
              + ": "
              + String.join(
                  "; ", lowered.subList(0, Math.min(MAX_LOWERED_LIMITS, lowered.size()))));
    }
    List<RowWrite> changes = new ArrayList<>();
    changes.add(decided(seen, UpgradeStatus.APPROVED, answer, author));
    changes.add(upgraded(wanted, now));
    return TierUpgradeColumns.read(rows.write(changes, author).get(0));
  }

  private RowWrite upgraded(TierUpgrade wanted, Now now) {
    UserTier upgraded =
        new UserTier(
            wanted.userId(),
            wanted.requestedTier(),
            now.own.isEmpty() ? List.of() : now.row.map(UserTier::ownLimits).orElse(List.of()),
            now.row.map(UserTier::state).orElse(UserState.ENFORCED),
            Optional.empty(),
            0);
    Optional<StoredRow> seen =
        now.row
            .filter(row -> row.origin().isEmpty())
            .map(row -> rows.toReplace(RuleTable.USERS, row.userId(), row.version()));
    return new RowWrite(RuleTable.USERS, seen, UserColumns.write(upgraded));
  }

  private RowWrite decided(StoredRow seen, UpgradeStatus status, String answer, String author) {
    return new RowWrite(
        TABLE,
        Optional.of(seen),
        TierUpgradeColumns.decided(seen, status, answer, author, ticker.instant()));
  }

  private StoredRow pending(long id) {
    StoredRow seen =
        database
            .find(TABLE, Long.toString(id))
            .orElseThrow(() -> new ConflictException("request " + id + " no longer exists"));
    UpgradeStatus status = TierUpgradeColumns.read(seen).status();
    if (status != UpgradeStatus.PENDING) {
      throw new ConflictException("request " + id + " is already " + status);
    }
    return seen;
  }

  @Override
  public TierUpgrade decline(long id, String answer, String author) {
    return decide(pending(id), UpgradeStatus.DECLINED, answer, author);
  }

  @Override
  public TierUpgrade withdraw(long id, String userId) {
    StoredRow seen = pending(id);
    if (!TierUpgradeColumns.read(seen).userId().equals(userId)) {
      throw new ConflictException("request " + id + " no longer exists");
    }
    return decide(seen, UpgradeStatus.WITHDRAWN, "", AuthorName.of(userId));
  }

  private TierUpgrade decide(StoredRow seen, UpgradeStatus status, String answer, String author) {
    List<RowWrite> change = List.of(decided(seen, status, answer, author));
    return TierUpgradeColumns.read(rows.write(change, author).get(0));
  }

  @Override
  public Optional<TierUpgrade> find(long id) {
    return rows.find(TABLE, Long.toString(id))
        .flatMap(row -> StoredRowReader.value(row, TierUpgradeColumns::read));
  }

  @Override
  public List<TierUpgrade> of(String userId) {
    return read(Map.of(RuleTable.USER_ID, userId), Long.MAX_VALUE, MAX_ROWS);
  }

  @Override
  public List<TierUpgrade> list(Optional<UpgradeStatus> status, long before, int most) {
    if (most < 1 || most > MAX_ROWS) {
      throw new IllegalArgumentException("1 to 1,000 requests can be read, not " + most);
    }
    return read(status.map(each -> Map.of("status", each.name())).orElse(Map.of()), before, most);
  }

  private List<TierUpgrade> read(Map<String, String> equal, long before, int most) {
    RowFilter filter = new RowFilter(equal, "", Optional.of(Long.toString(before)), true, most);
    return rows.some(TABLE, filter).stream()
        .flatMap(row -> StoredRowReader.value(row, TierUpgradeColumns::read).stream())
        .toList();
  }

  @Override
  public long pending() {
    return database.inTransaction(
        "upgrades can't be counted", connection -> PENDING.one(connection, row -> row.getLong(1)));
  }
}
