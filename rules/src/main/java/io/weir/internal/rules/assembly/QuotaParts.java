package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.internal.rules.callers.CallerDirectory;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.CallerRowReader;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.edit.VersionedRows;
import io.weir.internal.rules.quotas.PeriodCloser;
import io.weir.internal.rules.quotas.QuotaAccounts;
import io.weir.internal.rules.quotas.QuotaCounter;
import io.weir.internal.rules.quotas.QuotaLedger;
import io.weir.internal.rules.quotas.StoredQuotas;
import io.weir.internal.rules.request.RequestQuotas;
import io.weir.internal.rules.request.RulePolicySource;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.quota.Quotas;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What quotas consist of. */
final class QuotaParts implements AutoCloseable {
  private final RuleDatabase database;
  private final QuotaAccounts accounts;
  private final PeriodCloser closer;
  private final QuotaLedger ledger;
  private final ApplicationTime time = new ApplicationTime();

  QuotaParts(RuleDatabase database, Consumer<List<RuleProblem>> teller) {
    this.database = database;
    this.accounts = new QuotaAccounts(database, time, teller);
    this.closer = new PeriodCloser(database, accounts, time);
    this.ledger = new QuotaLedger(accounts, time);
  }

  /**
   * Takes the time of day from the application, as requests do, once there is one: it decides which
   * period it is. Pauses are measured by the system's clock throughout.
   */
  private static final class ApplicationTime implements Ticker {
    private volatile Ticker ofDay = Ticker.system();

    @Override
    public long nanoTime() {
      return Ticker.system().nanoTime();
    }

    @Override
    public long epochMicros() {
      return ofDay.epochMicros();
    }
  }

  void application(Ticker ofApplication) {
    time.ofDay = ofApplication;
  }

  QuotaAccounts accounts() {
    return accounts;
  }

  QuotaLedger ledger() {
    return ledger;
  }

  RequestQuotas requests(CallerDirectory callers) {
    return new RequestQuotas(callers, ledger::known, closer::closeSoon);
  }

  /** For people, who know users by the rows of the database. */
  Quotas stored(VersionedRows rows, RulePolicySource requests, CallerRowReader users) {
    return new StoredQuotas(
        database, rows, accounts, closer, ledger, userId -> counter(userId, requests, users), time);
  }

  private static Optional<QuotaCounter> counter(
      String userId, RulePolicySource requests, CallerRowReader users) {
    return requests.quotaOf(
        userId, CallerProfile.of(users.read(List.of(userId)).get(userId), null));
  }

  @Override
  public void close() {
    closer.close();
  }
}
