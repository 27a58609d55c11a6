package io.weir.internal.control.dashboard;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import io.weir.rules.tier.TierOffer;
import java.util.List;
import java.util.Map;

/** A tier that a user has or may ask for. */
record TierOfferDocument(
    String tier, @Described("Whether the user has it now") boolean current, List<Limit> limits) {
  @SchemaName("TierOfferLimit")
  record Limit(
      @Described("The rule's pattern, or policy: and a name") String endpoint,
      @Described("Permits per window; the user's own limit where it has one") long limit,
      @Described("Such as 60s, 1 MONTH or QUOTA") String window) {}

  static TierOfferDocument of(TierOffer each) {
    Map<String, Object> members = JsonRecords.members(each);
    members.put("current", each.isCurrent());
    return JsonRecords.of(TierOfferDocument.class, members);
  }
}
