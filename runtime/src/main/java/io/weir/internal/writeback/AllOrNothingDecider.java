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
 * Admits a request of several policies by the leases held here: by all of them or by none.
 *
 * <p>First it checks all leases, so that a request which can't be admitted takes nothing; then it
 * spends from one after the other. If another thread was faster with one of them, the others get
 * their permits back, and the request is decided as if this hadn't been tried. All are spent at the
 * same time of the clock, so that none ends while another is being spent.
 *
 * <p>Safe for concurrent use, without locks unless permits go back.
 */
final class AllOrNothingDecider {
  private final BucketCache buckets;

  AllOrNothingDecider(BucketCache buckets) {
    this.buckets = buckets;
  }

  /**
   * Returns an admission by each, in order; null, having taken nothing, if the leases hold too
   * little.
   */
  @Nullable List<Decision> decide(List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<LocalDecider> atHand = find(allTerms, keys, now);
    return atHand == null ? null : spend(atHand, allTerms, keys, now);
  }

  private @Nullable List<LocalDecider> find(List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<LocalDecider> atHand = new ArrayList<>(allTerms.size());
    for (int i = 0; i < allTerms.size(); i++) {
      RequestTerms terms = allTerms.get(i);
      LocalDecider each = buckets.find(terms.policy().spec(), keys.get(i));
      if (each == null || !each.wouldAdmit(terms, now)) {
        return null;
      }
      atHand.add(each);
    }
    return atHand;
  }

  private @Nullable List<Decision> spend(
      List<LocalDecider> atHand, List<RequestTerms> allTerms, List<Key> keys, long now) {
    List<Decision> admissions = new ArrayList<>(atHand.size());
    for (int i = 0; i < atHand.size(); i++) {
      Decision admission = atHand.get(i).admit(allTerms.get(i), keys.get(i), now);
      if (admission == null) {
        undo(admissions, atHand, allTerms, now);
        return null;
      }
      admissions.add(admission);
    }
    return admissions;
  }

  private void undo(
      List<Decision> admissions, List<LocalDecider> atHand, List<RequestTerms> allTerms, long now) {
    for (int i = 0; i < admissions.size(); i++) {
      RequestDecision admission = RequestDecision.cast(admissions.get(i));
      if (!atHand.get(i).undoAdmit(admission.stamp(), admission.permits(), now)) {
        BucketId bucket = new BucketId(admission.policy().spec(), admission.key());
        buckets.refund(
            new BucketRequest(allTerms.get(i), bucket, false),
            admission.stamp(),
            admission.permits(),
            now);
      }
    }
  }
}
