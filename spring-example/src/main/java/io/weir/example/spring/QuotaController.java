package io.weir.example.spring;

import io.weir.Weir;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.quota.Quota;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Takes one permit of the caller's quota, and returns the state of the quota. */
@RestController
class QuotaController {
  private final Weir weir;

  QuotaController(Weir weir) {
    this.weir = weir;
  }

  @GetMapping("/api/quota")
  ResponseEntity<?> quota(
      @RequestHeader(name = "X-Api-Key", required = false) @Nullable String key) {
    try {
      Optional<Quota> quota = Rules.of(weir).flatMap(rules -> quota(rules, key));
      if (quota.isEmpty()) {
        return Mistake.response(HttpStatus.NOT_FOUND, "there is no quota for this X-Api-Key");
      }
      return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(quota.get().toJson());
    } catch (RulesUnavailableException away) {
      return Mistake.response(
          HttpStatus.SERVICE_UNAVAILABLE, "the rules database can't be reached");
    }
  }

  private static Optional<Quota> quota(Rules rules, @Nullable String key) {
    return Optional.ofNullable(key).map(rules::userIdOfKey).flatMap(rules.quotas()::find);
  }
}
