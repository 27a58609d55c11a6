package io.weir.internal.control.events;

import io.weir.internal.control.json.Json;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Something that has happened, as people are told of it.
 *
 * @param id in the order of this node, from 1
 * @param type what kind of thing: the table whose row has changed, {@code problem}, {@code mended},
 *     {@code store-away} or {@code store-back}
 * @param at when this node heard of it
 * @param data what there is to tell
 */
public record ControlEvent(long id, String type, Instant at, Map<String, Object> data) {
  /** A bad row. */
  public static final String PROBLEM = "problem";

  /** The store can't be reached by this node. */
  public static final String STORE_AWAY = "store-away";

  /** It can again. */
  public static final String STORE_BACK = "store-back";

  /** As JSON on one line. */
  byte[] json() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", type);
    all.put("at", at);
    all.put("data", data);
    return Json.bytes(all);
  }
}
