package io.weir.compat.servlet;

/** Everything that a servlet container must show. */
public interface ServletContract
    extends ServletWireContract,
        ServletRefusalContract,
        ServletMembersContract,
        ServletPhasesContract,
        ServletPolicySourceContract,
        ServletCompletedContract,
        ServletCostContract,
        ServletDispatchContract,
        ServletDispatchedLimitsContract,
        ServletMappingContract,
        ServletGarbageContract,
        ServletSpellingsContract,
        ServletAttackContract,
        ServletSetupContract {}
