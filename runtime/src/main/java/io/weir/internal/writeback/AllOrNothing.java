package io.weir.internal.writeback;

import io.weir.Decision;
import io.weir.Key;
import io.weir.internal.permits.BucketRequest;
import io.weir.internal.permits.PolicyTerms;
import io.weir.internal.permits.RequestDecision;
import io.weir.store.BucketId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Admits a request of several policies by the leases at hand: by all of them or by none.
 *
 * <p>First it checks all leases, so that a request which can't be admitted takes nothing; then it
 * spends from one after the other. If another thread was faster with one of them, the others get
 * their permits back, and the request is decided as if this hadn't been tried. All are spent at the
 * same time of the clock, so that none ends while another is being spent.
 *
 * <p>Safe for concurrent use, without locks unless permits go back.
 */
final class AllOrNothing {
  private final BucketCache buckets;

  AllOrNothing(BucketCache buckets) {
    this.buckets = buckets;
  }

  /** An admission by each, in order; null, and nothing is taken, if the leases hold too little. */
  @Nullable List<Decision> decide(List<PolicyTerms> allTerms, List<Key> keys, long now) {
    List<ActiveBucket> actives = find(allTerms, keys, now);
    return actives == null ? null : spend(actives, allTerms, keys, now);
  }

  private @Nullable List<ActiveBucket> find(List<PolicyTerms> allTerms, List<Key> keys, long now) {
    List<ActiveBucket> actives = new ArrayList<>(allTerms.size());
    for (int i = 0; i < allTerms.size(); i++) {
      PolicyTerms terms = allTerms.get(i);
      ActiveBucket active = buckets.find(terms.policy().spec(), keys.get(i));
      if (active == null || !active.wouldAdmit(terms, now)) {
        return null;
      }
      actives.add(active);
    }
    return actives;
  }

  private @Nullable List<Decision> spend(
      List<ActiveBucket> actives, List<PolicyTerms> allTerms, List<Key> keys, long now) {
    List<Decision> admissions = new ArrayList<>(actives.size());
    for (int i = 0; i < actives.size(); i++) {
      Decision admission = actives.get(i).admit(allTerms.get(i), keys.get(i), now);
      if (admission == null) {
        undo(admissions, actives, allTerms, now);
        return null;
      }
      admissions.add(admission);
    }
    return admissions;
  }

  private void undo(
      List<Decision> admissions, List<ActiveBucket> actives, List<PolicyTerms> allTerms, long now) {
    for (int i = 0; i < admissions.size(); i++) {
      RequestDecision admission = RequestDecision.cast(admissions.get(i));
      ActiveBucket active = actives.get(i);
      if (!active.undoAdmit(admission.stamp(), admission.permits(), now)) {
        BucketId bucket = new BucketId(admission.policy().spec(), admission.key());
        BucketRequest request = new BucketRequest(allTerms.get(i), bucket, false);
        while (!active.refund(admission.stamp(), admission.permits(), now)) {
          active = buckets.activate(request); // that one was evicted meanwhile
        }
      }
    }
  }
}
