package io.weir.internal.server.envoy;

import io.weir.InvalidRequestException;
import io.weir.internal.access.AccessFinding;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.RequestDecider;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.Entry;
import io.weir.internal.server.envoy.proto.RateLimitRequest;
import io.weir.spi.RequestInfo;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an access list says of the caller that descriptors name: by its address, in Envoy's
 * own {@code remote_address}, and by its user and key, in the entries that settings name.
 *
 * <p>Safe for concurrent use.
 */
public final class DescriptorAccess {
  private static final String ADDRESS = "remote_address";

  private final WeirRuntime weir;
  private final RequestDecider decider;
  private final Supplier<String> userEntry;
  private final Supplier<String> keyEntry;

  /**
   * Takes the keys of the entries with the user and with the caller's key; each is empty if there
   * is none.
   */
  public DescriptorAccess(WeirRuntime weir, Supplier<String> userEntry, Supplier<String> keyEntry) {
    this.weir = weir;
    this.decider = RequestDecider.of(weir);
    this.userEntry = userEntry;
    this.keyEntry = keyEntry;
  }

  /**
   * Finds the entries for the caller; nothing if the descriptors name none that can exist. Where
   * one of the names can't, such as a user of a thousand characters, each is looked up by itself:
   * the caller chooses what it sends, and may not thereby hide its address.
   */
  AccessFinding of(RateLimitRequest request) {
    if (!weir.hasAccessList()) {
      return AccessFinding.NOTHING;
    }
    String user = value(request, userEntry.get());
    String key = value(request, keyEntry.get());
    String address = value(request, ADDRESS);
    return find(user, key, address, weir::decideAccess)
        .or(() -> denial(null, null, address))
        .or(() -> denial(user, null, null))
        .or(() -> denial(null, key, null))
        .orElse(AccessFinding.NOTHING);
  }

  /** Measures nothing unless it refuses: by one name of several nobody is let through. */
  private Optional<AccessFinding> denial(
      @Nullable String user, @Nullable String key, @Nullable String address) {
    return find(user, key, address, weir::peekAccess)
        .filter(found -> found.denies() || found.bans())
        .flatMap(any -> find(user, key, address, weir::decideAccess));
  }

  /** Returns empty if no caller can have such a name, key or address, as a Unix socket has none. */
  private Optional<AccessFinding> find(
      @Nullable String user,
      @Nullable String key,
      @Nullable String address,
      Function<RequestInfo, AccessFinding> list) {
    if (user == null && key == null && address == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          list.apply(decider.described(CheckRequest.ofPattern(user, key, address, "/", ""))));
    } catch (InvalidFieldException | InvalidRequestException unusable) {
      return Optional.empty();
    }
  }

  private static @Nullable String value(RateLimitRequest request, String key) {
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      for (Entry entry : descriptor.getEntriesList()) {
        if (entry.getKey().equals(key) && !entry.getValue().isEmpty()) {
          return entry.getValue();
        }
      }
    }
    return null;
  }
}
