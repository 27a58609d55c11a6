package io.weir.internal.control.events;

import io.weir.internal.control.admin.outcomes.OutcomesDocument;
import io.weir.internal.control.json.Json;
import io.weir.rules.outcome.CurrentOutcomes;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Reports the present outcomes of all nodes. Isn't kept, and is written as JSON once for all
 * readers.
 *
 * <p>Immutable.
 */
final class OutcomesEvent implements StreamedEvent {
  static final String TYPE = "outcomes";

  private final byte[] json;

  private OutcomesEvent(byte[] json) {
    this.json = json;
  }

  static OutcomesEvent of(CurrentOutcomes outcomes, Instant at) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("type", TYPE);
    all.put("at", at);
    all.put("data", OutcomesDocument.of(outcomes));
    return new OutcomesEvent(Json.bytes(all));
  }

  @Override
  public OptionalLong id() {
    return OptionalLong.empty();
  }

  @Override
  public String type() {
    return TYPE;
  }

  @Override
  public byte[] json() {
    return json;
  }
}
