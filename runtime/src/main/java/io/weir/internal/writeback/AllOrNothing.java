package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.RequestDecision;
import io.weir.internal.permits.RequestTerms;
import io.weir.store.BucketId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides a request of several policies by the leases at hand: all of it or nothing.
 *
 * <p>It looks first, so that what can't be met takes nothing; then it spends of one lease after the
 * other. Where another thread was faster with one of them, what the others gave goes back into
 * them, and the request is decided as if this hadn't been tried. All are spent at one time, so that
 * none ends while another is being spent.
 *
 * <p>Safe for concurrent use, without locks unless something goes back.
 */
final class AllOrNothing {
  private final BucketCache entries;

  AllOrNothing(BucketCache entries) {
    this.entries = entries;
  }

  /**
   * An admission by each, in order; null, and nothing is taken, if the leases don't hold it all.
   */
  @Nullable List<Decision> decide(List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<ActiveBucket> asked = find(allTerms, keys, now);
    return asked == null ? null : spend(asked, allTerms, keys, now);
  }

  private @Nullable List<ActiveBucket> find(List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<ActiveBucket> asked = new ArrayList<>(allTerms.size());
    for (int i = 0; i < allTerms.size(); i++) {
      RequestTerms terms = allTerms.get(i);
      ActiveBucket entry = entries.find(terms.policy().spec(), keys.get(i));
      if (entry == null || !entry.wouldAdmit(terms, now)) {
        return null;
      }
      asked.add(entry);
    }
    return asked;
  }

  private @Nullable List<Decision> spend(
      List<ActiveBucket> asked, List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<Decision> parts = new ArrayList<>(asked.size());
    for (int i = 0; i < asked.size(); i++) {
      Decision part = asked.get(i).admit(allTerms.get(i), keys.get(i), now);
      if (part == null) {
        putBack(parts, asked, allTerms, now);
        return null;
      }
      parts.add(part);
    }
    return parts;
  }

  private void putBack(
      List<Decision> parts, List<ActiveBucket> asked, List<RequestTerms> allTerms, long now) {
    for (int i = 0; i < parts.size(); i++) {
      RequestDecision part = RequestDecision.cast(parts.get(i));
      ActiveBucket entry = asked.get(i);
      if (!entry.unspend(part.stamp(), part.permits(), now)) {
        BucketRequest wish =
            new BucketRequest(
                allTerms.get(i), new BucketId(part.policy().spec(), part.key()), false);
        while (!entry.putBack(part.stamp(), part.permits(), now)) {
          entry = entries.of(wish); // that one was evicted meanwhile
        }
      }
    }
  }
}
