package io.weir.internal.control.admin.records;

import io.weir.Policy;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.Described;
import io.weir.rules.RuleWindow;
import io.weir.rules.usage.WhatIfLimit;
import io.weir.store.CalendarWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A limit to put against recorded usage. */
record WhatIfDocument(
    @Described("The pattern of a rule, such as /api/*; not of a policy")
        @Nullable String endpointPattern,
    @Described("HTTP methods; they aren't recorded, so the figures are upper bounds then")
        @Nullable List<String> methods,
    @Described("USER, the default: only users are recorded") @Nullable String countBy,
    @Described("Only users that have this tier today") @Nullable String tier,
    @Described("Permits per window, each request one") @Nullable Long limitCount,
    @Described("The window in seconds; not needed beside a period") @Nullable Long windowSeconds,
    @Described("Instead of windowSeconds, as in rules: 1 DAY, 1 WEEK, 1 MONTH …")
        @Nullable String period,
    @Described("The time zone of the period; default UTC") @Nullable String zone,
    @Described("The beginning, inclusive, in whole hours") @Nullable Instant from,
    @Described("The end, exclusive; at most 92 days after from") @Nullable Instant to) {
  private static final int MAX_TIER = 50;
  private static final int MAX_PATTERN = 255;
  private static final int MAX_METHODS = 20;

  WhatIfLimit limit() {
    if (countBy != null && !countBy.equalsIgnoreCase("USER")) {
      throw new InvalidFieldException(
          "countBy", "must be USER: usage of addresses and other callers isn't recorded");
    }
    Instant begin = FieldReader.required("from", from);
    Instant end = FieldReader.required("to", to);
    if (!begin.isBefore(end) || Duration.between(begin, end).compareTo(UsageTable.MAX_TIME) > 0) {
      throw new InvalidFieldException("to", "must be after from, and at most 92 days later");
    }
    if (windowSeconds != null && period != null) {
      throw new InvalidFieldException("period", "must not be given beside windowSeconds");
    }
    if (zone != null && period == null) {
      throw new InvalidFieldException("zone", "must be given with a period only");
    }
    return new WhatIfLimit(
        FieldReader.required("endpointPattern", endpointPattern, MAX_PATTERN),
        checkedMethods(),
        tier == null ? Optional.empty() : Optional.of(FieldReader.required("tier", tier, MAX_TIER)),
        FieldReader.required("limitCount", limitCount, 1, Policy.MAX_LIMIT),
        length(),
        calendar(),
        begin,
        end);
  }

  private Set<String> checkedMethods() {
    Set<String> all = new TreeSet<>();
    List<String> given = methods == null ? List.of() : methods;
    if (given.size() > MAX_METHODS) {
      throw new InvalidFieldException("methods", "must have at most " + MAX_METHODS + " methods");
    }
    for (int i = 0; i < given.size(); i++) {
      String each = given.get(i);
      if (each == null || !each.matches("[A-Za-z-]{1,20}")) {
        throw new InvalidFieldException("methods[" + i + "]", "must be an HTTP method such as GET");
      }
      all.add(each.toUpperCase(Locale.ROOT));
    }
    return all;
  }

  private Optional<Duration> length() {
    return period == null
        ? Optional.of(
            Duration.ofSeconds(
                FieldReader.required("windowSeconds", windowSeconds, 1, RuleWindow.MAX_SECONDS)))
        : Optional.empty();
  }

  private Optional<CalendarWindow> calendar() {
    if (period == null) {
      return Optional.empty();
    }
    RuleWindow window;
    try {
      window = RuleWindow.parsePeriod(period);
    } catch (IllegalArgumentException wrong) {
      throw new InvalidFieldException("period", String.valueOf(wrong.getMessage()));
    }
    if (window.isQuota()) {
      throw new InvalidFieldException(
          "period", "must not be QUOTA: each user has a billing day of its own");
    }
    ZoneId of = zone == null ? ZoneId.of("UTC") : FieldReader.zone("zone", zone);
    return Optional.of(CalendarWindow.of(window.amount(), window.unit().orElseThrow(), of));
  }
}
