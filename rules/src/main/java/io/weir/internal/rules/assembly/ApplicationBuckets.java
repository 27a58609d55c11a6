package io.weir.internal.rules.assembly;

import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.Buckets;
import io.weir.rules.history.RuleEvent;
import io.weir.spi.SourceContext;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of the application's store. The reset of one is written into the feed by its name,
 * which every node can make of the buckets that it holds.
 *
 * <p>Safe for concurrent use.
 */
final class ApplicationBuckets implements Buckets {
  private static final Executor ANNOUNCERS =
      DaemonThreadFactory.cached(DaemonThreadFactory.named("weir-rules-buckets"));

  private static final String SECRET = "weir.secret";

  private final RuleDatabase database;
  private volatile @Nullable Application application;

  private record Application(SourceContext context, BucketHasher names) {}

  ApplicationBuckets(RuleDatabase database) {
    this.database = database;
  }

  void application(SourceContext context) {
    application = new Application(context, BucketHasher.unwarned(context.setting(SECRET)));
  }

  private Application started() {
    Application now = application;
    if (now == null) {
      throw new IllegalStateException("no application has been started with these rules");
    }
    return now;
  }

  @Override
  public String name(Policy policy, Key key) {
    return started().names().of(new BucketId(policy.spec(), key));
  }

  @Override
  public CompletionStage<?> reset(Policy policy, Key key, String author) {
    if (policy.spec().isOfPeriod()) {
      throw new IllegalArgumentException(
          policy.name() + " is a quota: grant permits instead of resetting it");
    }
    Application now = started();
    return now.context()
        .forget(policy, key)
        .thenAcceptAsync(buckets -> announce(buckets, now.names(), author), ANNOUNCERS);
  }

  private void announce(List<BucketId> buckets, BucketHasher names, String author) {
    for (BucketId each : buckets) {
      database.announce(CHANGES, names.of(each), Map.of("policy", each.spec().name()), author);
    }
  }

  @Override
  public Optional<CompletionStage<BucketPage>> list(
      Policy policy, long limit, String after, int most) {
    return started()
        .context()
        .scannableStore()
        .map(store -> store.scan(policy.spec(), limit, after, most));
  }

  /** Drops what this node knows of a bucket that was reset. */
  void heard(RuleEvent event) {
    Application now = application;
    if (now != null
        && event instanceof RuleEvent.Changed changed
        && changed.change().table().equals(CHANGES)) {
      String name = changed.change().rowKey();
      String said = changed.change().after().orElse("");
      now.context()
          .letGo(
              bucket ->
                  said.contains('"' + bucket.spec().name() + '"')
                      && isCalled(bucket, name, now.names()));
    }
  }

  private static boolean isCalled(BucketId bucket, String name, BucketHasher names) {
    boolean isIt = names.of(bucket).equals(name);
    bucket.forgetName(); // the store has names of its own
    return isIt;
  }
}
