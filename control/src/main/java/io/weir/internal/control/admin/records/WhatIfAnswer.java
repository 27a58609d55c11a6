package io.weir.internal.control.admin.records;

import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.SchemaName;
import io.weir.rules.usage.WhatIfLimit;
import io.weir.rules.usage.WhatIfResult;
import io.weir.rules.usage.WhatIfResult.Unknown;
import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The requests that a limit would have refused. */
record WhatIfAnswer(
    @Described(
            "Whether a FIXED_WINDOW would have refused just these; if not, refused requests and"
                + " affected callers are upper bounds")
        boolean exact,
    @Described("Known callers with requests") long callers,
    @Described("Their requests, including those that were refused at the time") long requests,
    @Described("Requests that were refused at the time, by the limits of that time")
        long refusedThen,
    @Described("Requests that the limit would have refused") long refusedRequests,
    @Described("Callers with requests that it would have refused") long affectedCallers,
    @Described(
            "Upper bounds for SLIDING_WINDOW, the default of rules, for SLIDING_LOG and for"
                + " TOKEN_BUCKET with a burst of the limit; null for a period")
        @Nullable Rolling rolling,
    @Described("Each day in UTC, the oldest first") List<Day> days,
    @Described("At most 20 callers, the most refused first") List<Caller> worst,
    @Described("The limits of these figures, in sentences") String unknown) {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Upper bounds for windows that roll. */
  @SchemaName("WhatIfRolling")
  record Rolling(long refusedRequests, long affectedCallers) {}

  /** The requests of a day; of a bound, the day's share. */
  @SchemaName("WhatIfDay")
  record Day(
      LocalDate date,
      long requests,
      long refused,
      @Described("Callers with requests") long callers,
      @Described("Callers with requests that the limit would have refused") long affectedCallers) {}

  @SchemaName("WhatIfCaller")
  record Caller(String userId, long requests, long refused) {}

  static WhatIfAnswer of(WhatIfLimit limit, WhatIfResult result) {
    Map<String, Object> members = JsonRecords.members(result);
    members.put("unknown", String.join(" ", sentences(limit, result)));
    return JsonRecords.of(WhatIfAnswer.class, members);
  }

  private static List<String> sentences(WhatIfLimit limit, WhatIfResult result) {
    Unknown unknown = result.unknown();
    List<String> all = new ArrayList<>();
    if (unknown.unknownCallers() > 0) {
      all.add(
          String.format(
              Locale.ROOT,
              "%,d requests of unknown callers (addresses, and keys without a row) are in none of"
                  + " these figures: how many each of them sent isn't recorded.",
              unknown.unknownCallers()));
    }
    unknown
        .recordedSince()
        .ifPresent(first -> all.add("Usage has been recorded only since " + first + "."));
    if (limit.length().filter(each -> each.compareTo(HOUR) < 0).isPresent()) {
      all.add(
          "Within an hour only the busiest minute is recorded, so the figures are upper bounds.");
    } else if (!result.exact() && limit.methods().isEmpty() && unknown.partlyMatched().isEmpty()) {
      all.add(
          "The window doesn't begin at full hours in UTC, so an hour that lies in two windows"
              + " counts in both, and the figures are upper bounds.");
    }
    if (!limit.methods().isEmpty()) {
      all.add("Methods aren't recorded, so the requests of all methods count.");
    }
    if (!unknown.partlyMatched().isEmpty()) {
      all.add(
          "The pattern may match only some of the requests that were recorded at "
              + String.join(", ", unknown.partlyMatched())
              + "; all of them count.");
    }
    long admitted = result.requests() - result.refusedThen();
    if (unknown.permits() != admitted) {
      all.add(
          String.format(
              Locale.ROOT,
              "The %,d requests that were admitted took %,d permits; here each counts as one.",
              admitted,
              unknown.permits()));
    }
    all.add("If some requests had been refused, callers might have sent others.");
    return all;
  }
}
