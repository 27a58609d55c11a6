package io.weir.internal.control.events;

import io.weir.internal.control.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * A change, a bad row or an outage, as it is reported to administrators.
 *
 * @param number counted by this node, from 1
 * @param type the table whose row has changed, or {@code bans}, {@code problem}, {@code mended},
 *     {@code store-away}, {@code store-back}, {@code region-away} or {@code region-back}
 * @param at when this node noticed it
 */
public record ControlEvent(long number, String type, Instant at, Map<String, Object> data)
    implements StreamedEvent {
  /** Bans that were made; one that is lifted is a change of {@link #ACCESS_LIST}. */
  public static final String BANS = "bans";

  /** An entry was added, changed or lifted. */
  public static final String ACCESS_LIST = "access_list";

  public static final String PROBLEM = "problem";

  public static final String STORE_AWAY = "store-away";

  public static final String STORE_BACK = "store-back";

  /** Another region isn't heard of. */
  public static final String REGION_AWAY = "region-away";

  public static final String REGION_BACK = "region-back";

  @Override
  public OptionalLong id() {
    return OptionalLong.of(number);
  }

  @Override
  public byte[] json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", type);
    all.put("at", at);
    all.put("data", data);
    return Json.bytes(all);
  }
}
