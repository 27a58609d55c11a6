package io.weir.internal.control.dashboard;

import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import io.weir.rules.tier.TierOffer;
import java.util.List;

/** A tier that a user has or may ask for. */
record TierOfferDocument(
    String tier, @Described("Whether the user has it now") boolean current, List<Limit> limits) {
  /** A limit of the tier. */
  @SchemaName("TierOfferLimit")
  record Limit(
      @Described("The rule's pattern, or policy: and a name") String endpoint,
      @Described("Permits per window; the user's own limit where it has one") long limit,
      @Described("Such as 60s, 1 MONTH or QUOTA") String window) {}

  static TierOfferDocument of(TierOffer each) {
    return new TierOfferDocument(
        each.tier(),
        each.isCurrent(),
        each.limits().stream()
            .map(limit -> new Limit(limit.endpoint(), limit.limit(), limit.window()))
            .toList());
  }
}
