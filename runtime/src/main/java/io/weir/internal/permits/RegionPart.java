package io.weir.internal.permits;

/**
 * The part of a limit that one region counts alone, for one key.
 *
 * <p>Immutable.
 *
 * @param whole the limit over all regions, permits per window
 * @param limit permits per window
 * @param burst permits at once, without an excess
 * @param refill permits that come back at once; 0 if the policy has no refill, or this part has
 *     none of it
 * @param isNothing whether it admits nothing, since one of the three is less than a permit
 */
public record RegionPart(long whole, long limit, long burst, long refill, boolean isNothing) {}
