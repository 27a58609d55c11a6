package io.weir.compat.servlet;

/** Runs all tests of the servlet adapter. */
public interface ServletContract
    extends ServletBodyContract,
        ServletBodyBoundsContract,
        ServletBodyAttackContract,
        ServletWireContract,
        ServletRefusalContract,
        ServletMembersContract,
        ServletPeerContract,
        ServletPhasesContract,
        ServletPolicySourceContract,
        ServletAccessContract,
        ServletBanContract,
        ServletChangedRequestsContract,
        ServletCompletedContract,
        ServletCostContract,
        ServletDispatchContract,
        ServletDispatchedLimitsContract,
        ServletFinalChargesContract,
        ServletMappingContract,
        ServletGarbageContract,
        ServletSpellingsContract,
        ServletAttackContract,
        ServletPreflightContract,
        ServletSetupContract {}
