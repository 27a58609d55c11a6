package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.internal.rules.callers.CallerDirectory;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.UserRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.edit.VersionedRows;
import io.weir.internal.rules.quotas.QuotaAccounts;
import io.weir.internal.rules.quotas.QuotaCounter;
import io.weir.internal.rules.quotas.QuotaLedger;
import io.weir.internal.rules.quotas.QuotaSettlements;
import io.weir.internal.rules.quotas.StoredQuotas;
import io.weir.internal.rules.request.RequestQuotas;
import io.weir.internal.rules.request.RulePolicySource;
import io.weir.rules.Quotas;
import io.weir.rules.RuleProblem;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the parts of quotas. */
final class QuotaAssembly implements AutoCloseable {
  private final RuleDatabase database;
  private final QuotaAccounts accounts;
  private final QuotaSettlements settlements;
  private final QuotaLedger ledger;
  private volatile Ticker ticker;

  QuotaAssembly(
      RuleDatabase database, Consumer<List<RuleProblem>> problems, Ticker ticker) {
    this.ticker = ticker;
    this.database = database;
    this.accounts = new QuotaAccounts(database, this::now, problems);
    this.settlements = new QuotaSettlements(database, accounts, this::now);
    this.ledger = new QuotaLedger(accounts);
  }

  /** The time by the application's clock, as requests have it, so that both agree on the period. */
  private long now() {
    return ticker.epochMicros();
  }

  void application(Ticker ofApplication) {
    this.ticker = ofApplication;
  }

  QuotaAccounts accounts() {
    return accounts;
  }

  QuotaLedger ledger() {
    return ledger;
  }

  RequestQuotas requests(CallerDirectory callers) {
    return new RequestQuotas(callers, ledger::known, settlements::later);
  }

  /** Quotas for the API, which names users as rows do. */
  Quotas stored(VersionedRows rows, RulePolicySource requests, UserRows users) {
    return new StoredQuotas(
        database,
        rows,
        accounts,
        settlements,
        ledger,
        userId -> counter(userId, requests, users),
        this::now);
  }

  private static Optional<QuotaCounter> counter(
      String userId, RulePolicySource requests, UserRows users) {
    return requests.quotaOf(
        userId, CallerProfile.of(users.read(List.of(userId)).get(userId), null));
  }

  @Override
  public void close() {
    settlements.close();
  }
}
