package org.chagres.verbs;

/**
 * One port of an open device, as it is now ({@code ibv_port_attr}).
 *
 * @param port its number, from 1 on
 * @param state traffic flows only in ACTIVE
 * @param maxMtu the largest MTU of the port
 * @param activeMtu the MTU in use; a path takes the smaller of both ends
 * @param gidTableLength rows of the GID table, empty ones included
 * @param pkeyTableLength rows of the partition key table
 * @param maxMessageBytes the longest message
 * @param lid the local identifier; 0 on Ethernet
 * @param smLid the subnet manager's local identifier; 0 on Ethernet
 * @param lidMaskControl low bits of the local identifier that the port ignores
 * @param linkLayer what its wire carries
 * @param activeWidth code of the lanes in use, see {@link #lanes}
 * @param activeSpeed code of the speed of a lane, see {@link #gigabitsPerSecond}
 * @param physicalState code of the physical state, see {@link #physicalStateText}
 * @param capabilities bits of the port's capability mask
 * @param grhRequired whether every address needs a global route
 */
public record PortAttributes(int port, PortState state, Mtu maxMtu, Mtu activeMtu, int gidTableLength,
        int pkeyTableLength, long maxMessageBytes,
        int lid, int smLid, int lidMaskControl, LinkLayer linkLayer, int activeWidth, int activeSpeed,
        int physicalState, int capabilities,
        boolean grhRequired) {
    /** The lanes in use; 0 for a code that is not known. */
    public int lanes() {
        return switch (activeWidth) {
            case 1 -> 1;
            case 2 -> 4;
            case 4 -> 8;
            case 8 -> 12;
            case 16 -> 2;
            default -> 0;
        };
    }

    /** What all lanes together signal, in Gb/s, as {@code ibv_devinfo} counts; 0 for a code that is not known. */
    public double gigabitsPerSecond() {
        return lanes() * switch (activeSpeed) {
            case 1 -> 2.5;
            case 2 -> 5.0;
            case 4, 8 -> 10.0;
            case 16 -> 14.0;
            case 32 -> 25.0;
            case 64 -> 50.0;
            case 128 -> 100.0;
            case 256 -> 200.0;
            default -> 0.0;
        };
    }

    /** A text for the physical state. */
    public String physicalStateText() {
        return switch (physicalState) {
            case 1 -> "sleep";
            case 2 -> "polling";
            case 3 -> "disabled";
            case 4 -> "port configuration training";
            case 5 -> "link up";
            case 6 -> "link error recovery";
            case 7 -> "PHY test";
            default -> "unknown (" + physicalState + ")";
        };
    }
}
