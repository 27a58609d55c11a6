package io.weir.internal.rules.assembly;

import io.weir.Ticker;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.callers.CallerRowReader;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.edit.VersionedRowEditor;
import io.weir.internal.rules.quotas.DefaultQuotas;
import io.weir.internal.rules.quotas.PeriodCloser;
import io.weir.internal.rules.quotas.QuotaAccountReader;
import io.weir.internal.rules.quotas.QuotaCounter;
import io.weir.internal.rules.quotas.QuotaLedger;
import io.weir.internal.rules.request.QuotaPolicyFactory;
import io.weir.internal.rules.request.RulePolicySource;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.quota.Quotas;
import io.weir.spi.SourceContext;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Makes the parts of quotas. */
final class QuotaAssembly implements AutoCloseable {
  private final RuleDatabase database;
  final QuotaAccountReader accounts;
  private final PeriodCloser closer;
  final QuotaLedger ledger;
  private final ApplicationTime time;

  QuotaAssembly(RuleDatabase database, Consumer<List<RuleProblem>> problems, Ticker ticker) {
    this.time = new ApplicationTime(ticker);
    this.database = database;
    this.accounts = new QuotaAccountReader(database, time, time::storeLosses, problems);
    this.closer = new PeriodCloser(database, accounts, time);
    this.ledger = new QuotaLedger(accounts, time);
  }

  /**
   * Takes the time of day, and losses of the store, from the application, as requests do, once
   * there is one: it determines the period. Pauses are measured by the ticker that was given.
   */
  private static final class ApplicationTime implements Ticker {
    private final Ticker own;
    private volatile Ticker ofDay;
    private volatile LongSupplier losses = () -> 0;

    ApplicationTime(Ticker own) {
      this.own = own;
      this.ofDay = own;
    }

    long storeLosses() {
      return losses.getAsLong();
    }

    @Override
    public long nanoTime() {
      return own.nanoTime();
    }

    @Override
    public long epochMicros() {
      return ofDay.epochMicros();
    }
  }

  void application(SourceContext application) {
    time.ofDay = application.ticker();
    time.losses = application::storeLosses;
  }

  QuotaPolicyFactory requests(CallerProfileCache callers) {
    return new QuotaPolicyFactory(callers, ledger::known, closer::closeSoon);
  }

  /** Quotas for the API, which names users as rows do. */
  Quotas stored(VersionedRowEditor rows, RulePolicySource requests, CallerRowReader users) {
    return new DefaultQuotas(
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
