package io.weir.internal.http;

import io.weir.Policy;
import io.weir.Reason;
import io.weir.spi.RefusalInfo;
import java.util.ArrayList;
import java.util.List;

/** Writes the bodies of refusals for applications that don't write their own. */
final class StandardRefusalBody {
  private static final String TYPES = "https://iana.org/assignments/http-problem-types#";
  private static final int QUOTA = 429;
  private static final String DENIED = "This caller isn't served here.";

  private StandardRefusalBody() {}

  static EncodedRefusalBody of(RefusalFormat format, RefusalDetails refusal) {
    String detail = refusal.reason() == Reason.DENIED ? DENIED : detail(refusal);
    String json =
        switch (format) {
          case PROBLEM -> problem(refusal, detail);
          case SIMPLE ->
              retryAfter(JsonObjectWriter.spaced().member("error", error(refusal)), refusal).end();
        };
    return EncodedRefusalBody.ofAscii(format.contentType(), json, detail);
  }

  private static String problem(RefusalDetails refusal, String detail) {
    if (refusal.reason() == Reason.DENIED) {
      return problem("about:blank", "Forbidden", refusal.status(), detail)
          .member("error", error(refusal))
          .end();
    }
    List<String> names = new ArrayList<>();
    for (Policy each : refusal.policies()) {
      names.add(each.name());
    }
    return retryAfter(
            problem(TYPES + type(refusal), title(refusal), refusal.status(), detail)
                .member("error", error(refusal))
                .member("violated-policies", names),
            refusal)
        .end();
  }

  private static JsonObjectWriter retryAfter(JsonObjectWriter body, RefusalInfo refusal) {
    long seconds = refusal.retryAfterSeconds();
    return seconds > 0 ? body.member("retryAfter", seconds) : body;
  }

  private static String type(RefusalInfo refusal) {
    if (isAbnormal(refusal)) {
      return "abnormal-usage-detected";
    }
    return refusal.status() == QUOTA ? "quota-exceeded" : "temporary-reduced-capacity";
  }

  private static boolean isAbnormal(RefusalInfo refusal) {
    return refusal.reason() == Reason.ABNORMAL_USAGE || refusal.reason() == Reason.BANNED;
  }

  private static String title(RefusalInfo refusal) {
    if (isAbnormal(refusal)) {
      return "Abnormal usage detected";
    }
    return refusal.status() == QUOTA ? "Quota exceeded" : "Temporarily reduced capacity";
  }

  /** Returns the name that other libraries use, for clients that were written for them. */
  private static String error(RefusalInfo refusal) {
    if (refusal.reason() == Reason.DENIED) {
      return "Forbidden";
    }
    if (refusal.reason() == Reason.BANNED) {
      return "Banned";
    }
    return refusal.status() == QUOTA ? "Rate limit exceeded" : "Temporarily reduced capacity";
  }

  private static String detail(RefusalDetails refusal) {
    String policy = "Policy " + refusal.policy().name();
    if (refusal.reason() == Reason.BANNED) {
      return "This caller is banned for a time.";
    }
    if (refusal.reason() == Reason.ABNORMAL_USAGE) {
      return policy + " temporarily blocks this caller because of abnormal usage.";
    }
    if (refusal.reason() == Reason.COST_ABOVE_LIMIT) {
      return policy
          + " never admits this request: it costs more than "
          + LimitText.permits(refusal.atOnce())
          + ", the most available at once.";
    }
    if (refusal.status() == QUOTA) {
      return policy
          + " admits "
          + LimitText.of(refusal.policy(), refusal.limit(), refusal.refill(), refusal.isOneEach())
          + ".";
    }
    return refusal.reason() == Reason.STORE_UNAVAILABLE
        ? policy + " can't be checked at the moment."
        : policy + " admits fewer requests while the server is overloaded.";
  }

  /** Writes the body of the response to a request that can't be counted. */
  static EncodedRefusalBody unreadable(RefusalFormat format, int status, String detail) {
    String json =
        switch (format) {
          case PROBLEM -> problem("about:blank", phrase(status), status, detail).end();
          case SIMPLE -> JsonObjectWriter.spaced().member("error", detail).end();
        };
    return EncodedRefusalBody.ofAscii(format.contentType(), json, detail);
  }

  /** Returns the status in words, as problem documents without a type of their own have it. */
  private static String phrase(int status) {
    return switch (status) {
      case 408 -> "Request Timeout";
      case 413 -> "Content Too Large";
      case 503 -> "Service Unavailable";
      default -> "Bad Request";
    };
  }

  private static JsonObjectWriter problem(String type, String title, int status, String detail) {
    return JsonObjectWriter.dense()
        .member("type", type)
        .member("title", title)
        .member("status", status)
        .member("detail", detail);
  }
}
