package io.weir.internal.policy;

import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.region.RegionShares;
import io.weir.store.PermitStore;
import java.util.Set;

/**
 * Holds the names of the resolvers and conditions that an application has registered.
 *
 * <p>Immutable.
 *
 * @param conditionsOfUsers the names of the conditions that need the user
 * @param conditionsOfBodies those that read the body
 */
public record RegisteredExtensions(
    Set<String> keyResolvers,
    Set<String> costResolvers,
    Set<String> conditions,
    Set<String> conditionsOfUsers,
    Set<String> conditionsOfBodies) {
  public RegisteredExtensions {
    keyResolvers = Set.copyOf(keyResolvers);
    costResolvers = Set.copyOf(costResolvers);
    conditions = Set.copyOf(conditions);
    conditionsOfUsers = Set.copyOf(conditionsOfUsers);
    conditionsOfBodies = Set.copyOf(conditionsOfBodies);
  }

  /**
   * Combines the names with what a store can count in this region.
   *
   * @param storeName the store's name in messages
   */
  ApplicationCapabilities with(PermitStore store, String storeName, RegionShares shares) {
    return new ApplicationCapabilities(
        keyResolvers,
        costResolvers,
        conditions,
        conditionsOfBodies,
        store.algorithms(),
        store::counts,
        storeName,
        shares);
  }
}
