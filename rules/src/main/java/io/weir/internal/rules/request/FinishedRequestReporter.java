package io.weir.internal.rules.request;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.rulebook.EndpointRules;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.pattern.EndpointForm;
import io.weir.internal.rules.usage.FinishedRequest;
import io.weir.internal.rules.usage.UsageListener;
import io.weir.rules.Rule;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reports the user and the endpoint of each finished request, by names of which callers can't
 * invent more. Safe for concurrent use.
 */
final class FinishedRequestReporter {
  private final Supplier<Rulebook> current;
  private final CallerProfileCache callers;
  private final UsageListener listener;

  FinishedRequestReporter(
      Supplier<Rulebook> current, CallerProfileCache callers, UsageListener listener) {
    this.current = current;
    this.callers = callers;
    this.listener = listener;
  }

  /**
   * Reports a request at once, or when it is known whether the caller's key has a row. Returns at
   * once in any case, and doesn't read the request later.
   */
  void add(RequestInfo request, Decision decision, RuleRequestReader read) {
    if (!listener.wants(decision)) {
      return;
    }
    RequestCaller caller = caller(request, read);
    String endpoint = endpoint(request, decision);
    long now = read.now();
    Optional<CallerId> row = caller.row();
    if (row.isPresent() && caller.isUser() && !FinishedRequest.isReserved(caller.text())) {
      report(caller.text(), endpoint, "", decision, now);
      return;
    }
    String address = decision.admitted() ? "" : address(read.address(request));
    if (row.isEmpty() || caller.isUser()) {
      report(FinishedRequest.OTHERS, endpoint, address, decision, now);
      return;
    }
    CallerProfile cached = callers.cached(row, any -> true);
    if (cached != null) {
      reportKey(row.get(), cached, endpoint, address, decision, now);
    } else {
      var unused =
          callers
              .find(row)
              .thenAccept(found -> reportKey(row.get(), found, endpoint, address, decision, now));
    }
  }

  private static RequestCaller caller(RequestInfo request, RuleRequestReader read) {
    try {
      return read.caller(request, true);
    } catch (InvalidRequestException tooLong) {
      return RequestCaller.NOBODY; // a key that no rule has asked for
    }
  }

  private void reportKey(
      CallerId key,
      CallerProfile profile,
      String endpoint,
      String address,
      Decision decision,
      long now) {
    if (profile.hasRow()) {
      report(key.rowKey(), endpoint, "", decision, now);
    } else {
      report(FinishedRequest.OTHERS, endpoint, address, decision, now);
    }
  }

  private void report(String userId, String endpoint, String address, Decision decision, long now) {
    listener.finished(new FinishedRequest(userId, endpoint, address, decision, now));
  }

  private String endpoint(RequestInfo request, Decision decision) {
    String mapping = request.mapping();
    if (!mapping.isEmpty()) {
      return mapping;
    }
    EndpointRules matched =
        current.get().match(EndpointForm.of(request), request.endpoint(), request.answeredMethod());
    String pattern = matched.isEmpty() ? "" : matched.pattern();
    return pattern.isEmpty() ? Rule.POLICY + decision.policy().name() : pattern;
  }

  /** Returns the text of a key that is an address alone; empty for one without an address. */
  private static String address(Key key) {
    String encoded = key.encoded();
    return encoded.substring(encoded.indexOf(':') + 1);
  }
}
